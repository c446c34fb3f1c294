/** Checks the body of a factor study and makes a specification of it. */
import { selectFirstBarDay } from '../../db/market/bars.ts';
import type { Queryable } from '../../db/pool.ts';
import { LONG_SHORT_BREAKPOINTS, LONG_SHORT_WEIGHTS } from '../../engine/factors/cohort.ts';
import { EVERY, studySessions } from '../../engine/factors/sessions.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { FAR_PAST, formatDay } from '../../engine/market/dates.ts';
import { rangeStart } from '../../engine/market/time-range.ts';
import { compileValue } from '../../engine/rules/compile.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { type FactorSpec, MAX_FACTORS } from '../../jobs/contracts/factors.ts';
import { adjustMode, checkedSpecOf, flatBody, runFields } from '../backtests/request.ts';
import { text, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import type { MarketFacts, MarketView } from '../market/market-view.ts';
import { membersOf } from '../portfolios/rotation.ts';
import { universeField } from '../portfolios/rotation-fields.ts';
import { withBars } from '../portfolios/universe.ts';
import { ruleText } from '../rules/fields.ts';
import { columnsNamed } from '../rules/own-columns.ts';
import { checkedExpression, namedInstruments, type ScreenRule } from '../rules/resolve.ts';

const { time_range, start, end } = flatBody.shape;
const MAX_HORIZON = 252;
/** A group as rules name it. */
const OWN_GROUP = /^my\('([a-z][a-z0-9_]{0,62})'\)$/;

const factorField = z.strictObject({
  name: text(1, 64).meta({ description: 'Different from the others', example: 'momentum' }),
  value: ruleText.meta({
    description: 'A value, which may compare the members: they are ordered by it',
    example: 'lag(roc(231), 21)',
  }),
});

const portfolioField = z
  .strictObject({
    weights: z.enum(LONG_SHORT_WEIGHTS).default('equal'),
    cap: z.string().max(63).optional().meta({ description: 'An own column of market value, or of shares' }),
    breakpoints: z.enum(LONG_SHORT_BREAKPOINTS).default('all').meta({
      description: 'The names whose values cut the classes: all, those of NYSE, or all but microcaps',
    }),
    cuts: z
      .union([
        z.int().min(2).max(20),
        z.tuple([z.number().positive().max(0.5), z.number().min(0.5).max(0.99)]),
        z.literal('classes'),
      ])
      .default(5)
      .meta({ description: 'Equal classes, the ends of the lowest and the highest, or the distinct values' }),
    hold: z.int().min(1).max(60).default(1).meta({ description: 'Months that each cohort is held' }),
    micro: z.boolean().default(true).meta({ description: 'Whether microcaps take part' }),
  })
  .meta({ id: 'LongShortRule' });

export const factorsBody = z.strictObject({
  universe: universeField,
  factors: z.array(factorField).min(1).max(MAX_FACTORS),
  horizons: z
    .array(z.union([z.int().min(1).max(MAX_HORIZON), z.literal('step')]))
    .min(1)
    .max(5)
    .default([1, 5, 21])
    .meta({ description: 'Sessions of forward returns; `step`: to the next session that is looked at' }),
  quantiles: z.int().min(2).max(10).default(5),
  every: z
    .enum(EVERY)
    .default('month')
    .meta({ description: 'Looked at: every session, or the last one of each period' }),
  delay: z
    .union([z.literal(0), z.literal(1)])
    .default(0)
    .meta({ description: 'Sessions between a value and the close that its forward return begins at' }),
  neutral: z
    .union([z.enum(['market', 'asset_type', 'venue']), z.string().regex(OWN_GROUP)])
    .default('market')
    .meta({
      description:
        "The group whose mean forward return is taken off: `market`, `asset_type`, `venue`, or labels of an own column, `my('sector')`",
    }),
  portfolio: portfolioField.optional(),
  time_range,
  start,
  end,
  adjust: adjustMode.prefault('total'),
});
export type FactorsBody = z.output<typeof factorsBody>;

/** Errors of a universe and a range. */
export const UNIVERSE_ERRORS = [
  'invalid_symbol',
  'market_not_open',
  'symbol_not_found',
  'invalid_date',
  'invalid_date_range',
  'invalid_time_range',
  'invalid_asset_type',
  'rule_invalid',
] as const;

export const FACTORS_EXAMPLE: z.input<typeof factorsBody> = {
  universe: { all: true, asset_type: 'stock', where: 'close > 5' },
  factors: [
    { name: 'momentum', value: 'lag(roc(231), 21)' },
    { name: 'reversal', value: '-roc(21)' },
  ],
  horizons: [21],
  time_range: '5Y',
};

/** Whether this version still accepts a stored request. */
export function isFactorsRequest(kept: unknown): kept is z.input<typeof factorsBody> {
  return factorsBody.safeParse(kept).success;
}

export interface RequestedStudy {
  readonly spec: FactorSpec;
  readonly request: object;
  readonly cellsEach: number;
}

/** Range and adjustment, and the day of the data. */
export function rangeSpecOf(body: Parameters<typeof runFields>[0], market: MarketFacts) {
  const { timeRange, adjust, asOf, dataAsOf, start, end } = checkedSpecOf(runFields(body), market);
  return { timeRange, adjust, asOf, dataAsOf, start, end };
}

export type StudyMarket = MarketFacts & Pick<MarketView, 'historyLedger'>;

/** Texts that may name own columns. */
export const studyTexts = ({ factors, universe, neutral, portfolio }: FactorsBody): (string | undefined)[] => [
  ...factors.map(({ value }) => value),
  universe.where,
  neutral,
  // A column of market values is named as rules name it.
  portfolio?.cap && `my('${portfolio.cap}')`,
];

/**
 * Throws, with the place, for everything that can be known to be wrong before it is computed. `columns`: that the texts may
 * name.
 */
export async function studyOf(
  db: Queryable,
  body: FactorsBody,
  market: StudyMarket,
  columns?: readonly UsedColumn[],
): Promise<RequestedStudy> {
  const { factors, horizons, quantiles, every, delay } = body;
  assertDistinct(body);
  const where = body.universe.where ?? null;
  const rules = checkedRules(body, columns);
  const columnNames = new Set(rules.flatMap((rule) => [...rule.columnNames]));
  const neutral = neutralOf(body.neutral, columns);
  const portfolio = portfolioOf(body.portfolio, columns);
  if (portfolio?.cap) columnNames.add(portfolio.cap);
  if (typeof neutral === 'object') columnNames.add(neutral.column);
  const universe = membersOf(universeOf(body), market);
  const listed = universe.instruments?.length ?? Number.POSITIVE_INFINITY;
  if (quantiles > listed) refuse(['body', 'quantiles'], { code: 'more_than_universe', details: { count: listed } });
  const spec: FactorSpec = {
    ...rangeSpecOf(body, market),
    universe,
    where,
    factors,
    horizons,
    quantiles,
    every,
    delay,
    neutral,
    portfolio,
    others: namedInstruments(
      rules.flatMap(({ tickers }) => tickers),
      market.directory,
    ),
    columns: columnsNamed(columns, columnNames),
  };
  const cellsEach = await countCells(db, spec, market);
  const request = { ...body, start: body.start && formatDay(body.start), end: body.end && formatDay(body.end) };
  return { spec, request, cellsEach };
}

function assertDistinct({ factors, horizons }: FactorsBody): void {
  const names = factors.map(({ name }) => name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again >= 0) refuse(['body', 'factors', again, 'name'], { code: 'repeated' });
  const twice = horizons.findIndex((horizon, i) => horizons.indexOf(horizon) < i);
  if (twice >= 0) refuse(['body', 'horizons', twice], { code: 'repeated' });
}

function checkedRules({ factors, universe: { where } }: FactorsBody, columns?: readonly UsedColumn[]): ScreenRule[] {
  const values = factors.map(({ value }, i) => {
    const loc = ['body', 'factors', i, 'value'];
    const rule = checkedExpression(value, 'value', loc, 'peers', columns);
    if (compileValue(rule.expression).program.kind === 'constant') refuse(loc, { code: 'no_series' });
    return rule;
  });
  if (where === undefined) return values;
  return [...values, checkedExpression(where, 'condition', ['body', 'universe', 'where'], 'peers', columns)];
}

function neutralOf(text: string, columns: readonly UsedColumn[] = []): FactorSpec['neutral'] {
  if (text === 'market' || text === 'asset_type' || text === 'venue') return text;
  const name = OWN_GROUP.exec(text)?.[1] ?? '';
  const column = columns.find((one) => one.name === name);
  if (column === undefined) refuse(['body', 'neutral'], { code: 'no_column', details: { name } });
  if (column.kind !== 'label' || column.isMarket)
    refuse(['body', 'neutral'], { code: 'no_label_column', details: { name } });
  return { column: name };
}

/** Portfolios are of stocks, unless something else is asked for. */
function universeOf({ universe, portfolio }: FactorsBody): FactorsBody['universe'] {
  const isOpen = portfolio !== undefined && universe.all === true && universe.asset_type === undefined;
  return isOpen ? { ...universe, asset_type: 'stock' } : universe;
}

function portfolioOf(given: FactorsBody['portfolio'], columns: readonly UsedColumn[] = []): FactorSpec['portfolio'] {
  if (given === undefined) return undefined;
  const { cap: name = null, ...rule } = given;
  const loc = ['body', 'portfolio', 'cap'];
  if (name === null && rule.weights !== 'equal') refuse(loc, { code: 'required' });
  const column = columns.find((one) => one.name === name);
  if (name !== null && column === undefined) refuse(loc, { code: 'no_column', details: { name } });
  if (column && (column.kind !== 'number' || column.isMarket))
    refuse(loc, { code: 'no_value_column', details: { name: column.name } });
  return { ...rule, cap: name };
}

/** Instruments × sessions that are looked at. Throws where a horizon does not fit into the range. */
async function countCells(db: Queryable, spec: FactorSpec, market: StudyMarket): Promise<number> {
  const { instruments, assetTypes } = spec.universe;
  const listed = market.directory.items.flatMap(({ id, qualified, instrument }) =>
    (assetTypes?.includes(instrument.assetType) ?? true) ? [{ instrumentId: id, symbol: qualified }] : [],
  );
  const traded = await withBars(db, instruments ?? listed, spec);
  const end = Math.min(spec.end ?? spec.asOf, spec.dataAsOf ?? spec.asOf);
  const ids = instruments?.map(({ instrumentId }) => instrumentId);
  const firstBar = ids === undefined ? market.historyLedger.firstLoaded : await selectFirstBarDay(db, ids);
  const start = Math.max(spec.start ?? rangeStart(spec.timeRange, end) ?? FAR_PAST, firstBar ?? FAR_PAST);
  const clock = Int32Array.from(sessionsBetween(start, end));
  const sessions = clock.length;
  const long = spec.horizons.findIndex((horizon) => horizon !== 'step' && horizon >= sessions);
  if (long >= 0) refuse(['body', 'horizons', long], { code: 'not_below', details: { max: sessions } });
  return traded.length * studySessions(clock, spec.every, spec.delay).looked.length;
}
