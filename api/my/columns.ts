/** Own columns: what callers send and get. */
import type { Readable } from 'node:stream';
import { selectColumnCoverage, selectColumnVersions } from '../../db/research/column-reads.ts';
import {
  DAY_MEANINGS,
  type OwnColumn,
  selectColumnRows,
  selectColumns,
  selectColumnVersion,
  WHOLE_MARKET,
} from '../../db/research/own-columns.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { formatKnownAt } from '../../engine/market/known-at.ts';
import { COLUMN_ABOUT, COLUMN_DIMENSIONS, COLUMN_KINDS } from '../../engine/market/own-columns.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import {
  COLUMN_NAME,
  type ColumnSettings,
  type ColumnSpec,
  columnResultSchema,
  columnSettingsSchema,
  isRuleWord,
} from '../../jobs/contracts/columns.ts';
import { type AccountCaller, accountOf } from '../access/caller.ts';
import { PLANS } from '../access/plans.ts';
import { assertDayRange, instant, optionalFlag, queryInteger, z } from '../http/input/fields.ts';
import { findInstrument } from '../market/directory.ts';
import type { RunCall } from '../runs/services.ts';
import type { DoneRun } from '../runs/state.ts';
import { storeUpload } from './column-upload.ts';

export const columnPath = z.object({
  name: z
    .string()
    .regex(COLUMN_NAME)
    .meta({ description: 'The name of the column, no word of the language of rules', example: 'sector' }),
});

const { kind, dimension, form, mode, about, day_means, symbols } = columnSettingsSchema.shape;

/** How a file is read, in a query string. */
export const columnQuery = z.object({
  kind: kind.meta({ description: 'Default: `label` if a value is text' }),
  market: optionalFlag.meta({ description: 'One value for all instruments, without `symbol`' }),
  lag: queryInteger(0, 1_000).optional().meta({
    description: 'Sessions after `date` at whose close a row without `known_at` is known. Default 1; 0 for membership',
  }),
  dimension: dimension.meta({ description: 'Shares and prices are carried over splits' }),
  unit: z.string().max(200).optional().meta({ description: 'Such as `percent_per_year`' }),
  form: form.meta({ description: 'Membership as intervals (symbol, from, to) or as complete lists by date' }),
  mode: mode.meta({ description: 'Default `replace`' }),
  about: about.meta({ description: '`later`: forecasts, whose newest `known_at` counts' }),
  day_means: day_means.meta({ description: 'Whether a day as `known_at` is before its close. Default `after_close`' }),
  stale_after: queryInteger(0, 100_000).optional().meta({ description: 'Sessions after which a value counts no more' }),
  symbols: symbols.meta({ description: 'Whose a ticker is: needed where another instrument has it now' }),
});

export const commonColumnQuery = columnQuery.extend({
  source: z.string().max(200).meta({ description: 'Told to everyone' }),
  license: z.string().max(200).meta({ description: 'Told to everyone' }),
});

const day = z.iso.date();

export const columnSchema = z
  .object({
    name: z.string(),
    owner: z.enum(['account', 'everyone']),
    kind: z.enum(COLUMN_KINDS),
    market: z.boolean(),
    dimension: z.enum(COLUMN_DIMENSIONS),
    unit: z.string().nullable(),
    about: z.enum(COLUMN_ABOUT),
    day_means: z.enum(DAY_MEANINGS),
    lag: z.int(),
    stale_after: z.int().nullable(),
    version: z.int(),
    rows: z.int(),
    symbols: z.int(),
    first_day: day.nullable(),
    last_day: day.nullable(),
    known_late_share: z
      .number()
      .nullable()
      .meta({ description: 'Share of rows known more than a session after `date`' }),
    sha256: z.string(),
    loaded_at: instant,
    source: z.string().nullable(),
    license: z.string().nullable(),
  })
  .meta({ id: 'OwnColumn' });

const { account, backfilled, ambiguous_symbols, unknown_symbols } = columnResultSchema.shape;

export const writtenSchema = z
  .object({
    column: columnSchema,
    account: account.meta({ description: 'lines = header + blank + loaded + repeated + rejected + left_out' }),
    backfilled: backfilled.meta({ description: 'Rows known more than a week before they were sent' }),
    ambiguous_symbols,
    unknown_symbols,
  })
  .meta({ id: 'WrittenColumn' });

export const columnDetailSchema = columnSchema.extend({
  labels: z.array(z.string()),
  versions: z.array(z.object({ version: z.int(), rows: z.int(), sha256: z.string(), loaded_at: instant })),
  coverage: z.array(z.object({ year: z.int(), rows: z.int(), symbols: z.int() })),
});

export const columnRowSchema = z.object({
  symbol: z.string().nullable(),
  date: day,
  known_at: z.string().meta({ description: 'A day, or a time in New York' }),
  seen: day.meta({ description: 'The session at whose close it is seen first' }),
  value: z.union([z.number(), z.string(), z.null()]).meta({ description: 'Null: it ends here' }),
});

export function columnView(column: OwnColumn): z.input<typeof columnSchema> {
  const { rows, knownLate } = column;
  return {
    name: column.name,
    owner: column.accountId === null ? 'everyone' : 'account',
    kind: column.kind,
    market: column.isMarket,
    dimension: column.dimension,
    unit: column.unit,
    about: column.about,
    day_means: column.dayMeans,
    lag: column.lag,
    stale_after: column.staleAfter,
    version: column.version,
    rows,
    symbols: column.symbols,
    first_day: column.firstDay,
    last_day: column.lastDay,
    known_late_share: rows === 0 ? null : Math.round((1e6 * knownLate) / rows) / 1e6,
    sha256: column.sha256,
    loaded_at: column.loadedAt.toISOString(),
    source: column.source,
    license: column.license,
  };
}

/** Throws for a name that rules use already. */
function assertName(name: string): void {
  if (!isRuleWord(name)) return;
  throw new ServiceError('column_refused', { problem: `${name} is a word of the language of rules` });
}

/** Stores the file of a column, and returns the specification of the run that reads it. */
export async function uploadSpec(
  call: RunCall<AccountCaller>,
  name: string,
  { settings, isCommon, body }: { settings: ColumnSettings; isCommon: boolean; body: Readable },
): Promise<ColumnSpec> {
  const { caller } = call;
  assertName(name);
  const { column_rows_max: rows, columns_max: columns } = PLANS[caller.plan].quotas;
  const quota = isCommon ? null : { plan: caller.plan, rows, columns };
  return { name, isCommon, settings, quota, ...(await storeUpload(call, body, 'column_rows_max')) };
}

/** The column that a file has become, with the account of its lines. */
export async function writtenColumn({ services }: RunCall, run: DoneRun): Promise<z.input<typeof writtenSchema>> {
  const { columnId, version, ...written } = columnResultSchema.parse(JSON.parse(run.result.summary));
  const column = found(await selectColumnVersion(services.pool, columnId, version));
  return { column: columnView(column), ...written };
}

/** A column that the caller reads: its own, or everyone's. */
async function readableColumn({ services, caller }: RunCall, name: string): Promise<OwnColumn> {
  const columns = await selectColumns(services.pool, accountOf(caller)?.userId ?? null);
  return found(columns.find((column) => column.name === name));
}

const MAX_LABELS = 1_000;

export async function columnDetail(call: RunCall, name: string): Promise<z.input<typeof columnDetailSchema>> {
  const { pool } = call.services;
  const column = await readableColumn(call, name);
  const versions = await selectColumnVersions(pool, column.id);
  return {
    ...columnView(column),
    labels: column.labels.slice(0, MAX_LABELS),
    versions: versions.map(({ version, rows, sha256, loadedAt }) => {
      return { version, rows, sha256, loaded_at: loadedAt.toISOString() };
    }),
    coverage: await selectColumnCoverage(pool, column),
  };
}

interface WantedRows {
  readonly symbol?: string;
  readonly start?: Day;
  readonly end?: Day;
  readonly as_of?: Day;
  readonly page: number;
  readonly size: number;
}

/** Rows of one instrument, or of a column of the market, by date. */
export async function columnRows(call: RunCall, name: string, wanted: WantedRows) {
  const { page, size, start = -Infinity, end = Infinity, as_of = Infinity } = wanted;
  assertDayRange(wanted);
  const column = await readableColumn(call, name);
  const instrument = instrumentOf(call, column, wanted.symbol);
  const used = [{ columnId: column.id, base: column.base, version: column.version }];
  const byId = (await selectColumnRows(call.services.pool, used, instrument.ids)).get(column.id);
  const rows = byId?.get(instrument.ids[0] ?? WHOLE_MARKET);
  const places = [...(rows?.date ?? [])].flatMap((date, i) =>
    rows && date >= start && date <= end && rows.seen[i] <= as_of ? [i] : [],
  );
  const shown = (value: number) => (column.kind === 'label' ? column.labels[value] : value);
  const items = places.slice((page - 1) * size, page * size).flatMap((i) => {
    if (!rows) return [];
    const { date, seen, knownDay, knownSecond, value } = rows;
    return {
      symbol: instrument.symbol,
      date: formatDay(date[i]),
      known_at: formatKnownAt(knownDay[i], knownSecond[i]),
      seen: formatDay(seen[i]),
      value: Number.isNaN(value[i]) ? null : shown(value[i]),
    };
  });
  return { total: places.length, page, size, items };
}

function instrumentOf({ services }: RunCall, { isMarket }: OwnColumn, symbol: string | undefined) {
  if (isMarket) return { ids: [], symbol: null };
  if (symbol === undefined) throw new ServiceError('invalid_symbol', { symbol: '' });
  const { instrument, qualified } = findInstrument(services.market.directory, symbol);
  return { ids: [instrument.id], symbol: qualified };
}
