/** Tear sheets of kept runs. */
import { text } from 'node:stream/consumers';
import Papa from 'papaparse';
import type { KeptKind, KeptRun } from '../../db/runs/kept-runs.ts';
import { selectKeptById } from '../../db/runs/verdicts.ts';
import type { TearSheet } from '../../engine/tear-sheet/tear-sheet.ts';
import { type BacktestSpec, backtestSpecSchema, MAX_FACTORS } from '../../jobs/contracts/backtest.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { OWN_COMPARISON, readKeptTearSheet, TEAR_SHEET, tearSheetSpecSchema } from '../../jobs/contracts/tear-sheet.ts';
import { storedSelection } from '../../jobs/runs/statistics.ts';
import { backtestKey } from '../../storage/keys.ts';
import type { AccountCaller } from '../access/caller.ts';
import { localeOf } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { FileReply } from '../http/answer/reply.ts';
import { localeField, z } from '../http/input/fields.ts';
import { comparedBenchmarkField, comparisonOf, type GivenComparison } from './comparison.ts';
import { type Kept, keptPath, ownKept } from './keep.ts';
import { type Asked, OF_ACCOUNT, startsWith, stateRoute } from './routes.ts';
import { stateOf } from './schemas.ts';
import type { RunCall, Services } from './services.ts';
import { tearSheetSchema } from './tear-sheet-schema.ts';
import { tearSheetView } from './view.ts';

type Rows = readonly object[];

/** The tables that are served as CSV: columns have the names of the interface. */
const TABLES = {
  series: ({ series }) => series,
  regression: ({ regression }) => regression?.terms ?? [],
  months: ({ time }) => time.months,
  years: ({ time }) => time.years,
  rolling_63: ({ time }) => time.rolling['63'],
  rolling_252: ({ time }) => time.rolling['252'],
  drawdowns: ({ time }) => time.drawdowns,
  underwater: ({ time }) => time.underwater,
  by_exit_reason: ({ trades }) => trades.by_exit_reason,
  by_symbol: ({ trades }) => trades.by_symbol,
  by_entry_month: ({ trades }) => trades.by_entry_month,
  bands: ({ chance }) => chance.bootstrap?.bands ?? [],
} as const satisfies Readonly<Record<string, (sheet: TearSheet) => Rows>>;

type TableName = keyof typeof TABLES;
const TABLE_NAMES: readonly [TableName, ...TableName[]] = [
  'series',
  'regression',
  'months',
  'years',
  'rolling_63',
  'rolling_252',
  'drawdowns',
  'underwater',
  'by_exit_reason',
  'by_symbol',
  'by_entry_month',
  'bands',
];

/** `sheet`: JSON text. */
function tableCsv(sheet: string, name: TableName): string {
  const parsed: TearSheet = JSON.parse(sheet);
  const rows = TABLES[name](parsed);
  return `\uFEFF${Papa.unparse([...rows], { newline: '\r\n', escapeFormulae: true })}\r\n`;
}

const TAG = 'Tear sheets';

const factorsQuery = z
  .string()
  .max(200)
  .transform((symbols) => symbols.split(','))
  .optional()
  .meta({ description: `At most ${MAX_FACTORS} symbols, separated by commas, whose returns explain those of the run` });

/** The range of a kept run; runs of early versions kept none. */
const rangeSchema = backtestSpecSchema.pick({ timeRange: true, start: true, end: true });
const ANY_RANGE: Pick<BacktestSpec, 'timeRange' | 'start' | 'end'> = { timeRange: 'MAX', start: null, end: null };

/** The kept sheet where it answers the call; else a job that makes and keeps one. `show` makes the answer of its text. */
async function askedSheet<T>(
  call: RunCall<AccountCaller>,
  kept: Kept,
  given: GivenComparison,
  show: (sheet: string, saved: KeptRun) => T,
): Promise<Asked<T>> {
  const saved = await ownKept(call, kept);
  const isGiven = given.benchmark !== undefined || given.factors !== undefined;
  const range = rangeSchema.safeParse(saved.spec).data ?? ANY_RANGE;
  const wanted = isGiven ? await comparisonOf(call, given, range, 'query') : null;
  const object = await call.services.storage.get(backtestKey(saved.userId, saved.id, TEAR_SHEET));
  const sheet = object && readKeptTearSheet(await text(object), wanted);
  if (sheet !== null) return { answer: show(sheet, saved) };
  const spec = { backtestId: saved.id, comparison: wanted ?? OWN_COMPARISON };
  return { kind: 'tear_sheet', spec, show: ({ result }) => show(result.summary, saved) };
}

const { awaited } = startsWith<Services>();

const comparisonQuery = { benchmark: comparedBenchmarkField, factors: factorsQuery };

const SHEET_ROUTE = {
  method: 'get',
  tag: TAG,
  access: 'member',
  limit: 'account',
  errors: [
    'not_found',
    'invalid_symbol',
    'market_not_open',
    'symbol_not_found',
    'no_bars_in_range',
    'figures_overflow',
    'storage_full',
  ],
} as const;

const description =
  'What the run earned, for which risk, and how sure that is. Kept with the run where it was made with it ' +
  '(`tear_sheet: true`) or asked for before. Otherwise, and for another comparison than that of the kept sheet, a queue job makes it, ' +
  `which the call waits for; with \`Prefer: respond-async\` the answer is 202, and \`${RUN_KINDS.tear_sheet.jobsPath}/{job_id}\` shows its state.`;

/** The routes of one kind of kept run. */
export function tearSheetRoutes(kind: KeptKind, noun: string): readonly Route<Services>[] {
  const { pathSchema, keptOf, ...kept } = keptPath(kind);
  const path = `${kept.path}/tear-sheet`;
  return [
    awaited({
      ...SHEET_ROUTE,
      operationId: `get${noun}TearSheet`,
      path,
      summary: `Get the tear sheet of a kept ${kind}`,
      description,
      pathSchema,
      querySchema: z.object({ ...comparisonQuery, locale: localeField }),
      dataSchema: tearSheetSchema,
      read: ({ path: at, query: { locale, ...given }, ...call }) =>
        askedSheet(call, keptOf(at), given, (sheet, saved) =>
          tearSheetView(sheet, localeOf({ locale }, call.context), storedSelection(saved)),
        ),
    }),
    awaited({
      ...SHEET_ROUTE,
      operationId: `export${noun}TearSheet`,
      path: `${path}.csv`,
      summary: `Export a table of the tear sheet of a kept ${kind} as a CSV file`,
      description: 'Columns have the names of the interface. Made by a job like the sheet, if it is not kept.',
      pathSchema,
      querySchema: z.object({
        table: z.enum(TABLE_NAMES).default('series').meta({ description: 'The rows of the file' }),
        ...comparisonQuery,
      }),
      fileTypes: ['text/csv'],
      dataSchema: z.string(),
      read: ({ path: at, query: { table, ...given }, ...call }) =>
        askedSheet(call, keptOf(at), given, (sheet) => {
          const file = `${kind}-${keptOf(at).id}-${table}.csv`;
          return new FileReply(file, 'text/csv; charset=utf-8', tableCsv(sheet, table));
        }),
    }),
  ];
}

export const TEAR_SHEET_STATE: Route<Services> = stateRoute('tear_sheet', TAG, {
  operationId: 'getTearSheetJob',
  summary: 'Get the state of a queued tear sheet',
  description: OF_ACCOUNT,
  dataSchema: stateOf(tearSheetSchema).meta({ id: 'GetTearSheetJobData' }),
  show: async ({ services, context }, run) => {
    const saved = await selectKeptById(services.pool, tearSheetSpecSchema.parse(run.spec).backtestId);
    return tearSheetView(run.result.summary, context.locale, saved && storedSelection(saved));
  },
});
