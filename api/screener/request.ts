/** The request of a screen. */
import { COMPARISONS, requireComparison } from '../../engine/screener/comparisons.ts';
import { ruleOf } from '../../engine/screener/field-rules.ts';
import { FIELDS, requireField } from '../../engine/screener/fields.ts';
import { findPreset, PRESETS } from '../../engine/screener/presets.ts';
import { RULE_BARS } from '../../engine/screener/rule-figures.ts';
import { PERIOD_RANGE } from '../../engine/screener/running-means.ts';
import type { Condition, ScreenMembers, SortOrder } from '../../engine/screener/screen.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import type { Caller } from '../access/caller.ts';
import { dateField, domainWord, z } from '../http/input/fields.ts';
import type { Problem } from '../http/input/problems.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import type { Directory } from '../market/directory.ts';
import { memberFields, readMembers } from '../market/members.ts';
import { whereField } from '../rules/fields.ts';
import { columnsNamed, readableColumns } from '../rules/own-columns.ts';
import type { NamedTicker } from '../rules/resolve.ts';
import { asOfLoad } from '../runs/as-of-load.ts';
import { comparedIn, conditionsAt, type RuleCondition, type RuleValue, valueAt } from './screen-rules.ts';
import type { Services } from './services.ts';

export const SCREEN_LIMITS = {
  conditions: 20,
  symbols: 500,
  columns: 40,
  limit: { min: 1, max: 500, default: 100 },
  offset: 100_000,
  closes: 260,
  years: { min: 1, max: 30, default: 10 },
} as const;
const DEFAULT_SORT: SortOrder = { field: 'dollar_volume', period: null, order: 'desc' };
/** The fields that a preset replaces. They are ignored, even if they are invalid. */
const REPLACED_BY_PRESET = ['conditions', 'where', 'sort'] as const;

export const fieldName = domainWord(
  FIELDS.map(({ code }) => code),
  'invalid_screener_field',
).meta({ id: 'ScreenerField' });
export const comparisonName = domainWord(
  COMPARISONS.map(({ code }) => code),
  'invalid_screener_operator',
);
export const presetName = domainWord(
  PRESETS.map(({ code }) => code),
  'invalid_preset',
);
const period = z
  .int()
  .min(PERIOD_RANGE.min)
  .max(PERIOD_RANGE.max)
  .optional()
  .meta({ description: "Default: the field's own period. Refused for a field without a period" });
const sortOrder = z.enum(['asc', 'desc']).default('desc');
const COLUMN_NAME = /^[A-Za-z][\w ]{0,31}$/;

const condition = z
  .strictObject({
    field: fieldName,
    op: comparisonName,
    period,
    value: z.number().optional(),
    value2: z.number().optional(),
  })
  .meta({ id: 'ScreenCondition' });

const fullBody = z.strictObject({
  preset: presetName
    .optional()
    .meta({ description: 'Applies its own conditions and sort; `conditions`, `where`, and `sort` are ignored' }),
  conditions: z
    .array(condition)
    .max(SCREEN_LIMITS.conditions)
    .prefault([])
    .meta({ description: 'All conditions must hold. Figures are rounded to six decimals before they are compared' }),
  where: whereField.optional().meta({
    description:
      "Instead of `conditions`: a rule that must hold at the last bar of the instrument's whole history. The call waits for a job if the " +
      `rule looks back further than ${RULE_BARS} bars, uses exponential averages of more than ${PERIOD_RANGE.max}, ` +
      'compares instruments, or names another one. Instruments are compared with those that have a bar at the session',
  }),
  columns: z
    .record(z.string().regex(COLUMN_NAME), z.string())
    .optional()
    .meta({
      description: `Further figures, at most ${SCREEN_LIMITS.columns}: name → a value in the language of rules`,
      example: { stretch: 'close / sma(50)' },
    }),
  condition_columns: z.boolean().default(false).meta({
    description: 'Whether `columns` also has the `values` that the conditions compare, by their text',
  }),
  sort: z
    .strictObject({
      field: fieldName.optional(),
      period,
      by: z
        .string()
        .optional()
        .meta({ description: 'Instead of `field`: a value in the language of rules', example: 'roc(126)' }),
      order: sortOrder,
    })
    .meta({
      id: 'ScreenSort',
      description:
        'Sorts by the rounded figure, then by symbol, with undefined figures last. Its period does not affect which symbols are ' +
        'eligible. Default: `dollar_volume`, `desc`',
    })
    .optional(),
  ...memberFields(SCREEN_LIMITS.symbols),
  limit: z.int().min(SCREEN_LIMITS.limit.min).max(SCREEN_LIMITS.limit.max).default(SCREEN_LIMITS.limit.default),
  offset: z.int().min(0).max(SCREEN_LIMITS.offset).default(0),
  as_of: dateField.optional().meta({
    description: 'A past session: the screen as it was seen then, without later corrections',
  }),
  as_of_load: asOfLoad,
  closes: z
    .int()
    .min(0)
    .max(SCREEN_LIMITS.closes)
    .default(0)
    .meta({ description: 'How many of the newest closes each item has, on the share count of the last of them' }),
  history: z
    .strictObject({
      years: z
        .int()
        .min(SCREEN_LIMITS.years.min)
        .max(SCREEN_LIMITS.years.max)
        .default(SCREEN_LIMITS.years.default)
        .meta({ description: 'The calendar years over which is told what followed' }),
    })
    .optional()
    .meta({
      id: 'ScreenHistoryRequest',
      description:
        'Adds `history`: how many passed at the last sessions, who entered and left and why, and what followed. The call waits for a job',
    }),
});

function withoutReplaced(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('preset' in body)) return body;
  if (body.preset === undefined || body.preset === null) return body;
  const left: Record<string, unknown> = { ...body };
  for (const name of REPLACED_BY_PRESET) delete left[name];
  return left;
}

export const screenerBody = z.preprocess(withoutReplaced, fullBody);

/** Errors of a screen as a universe. */
export const SCREEN_ERRORS = [
  'invalid_screener_field',
  'invalid_screener_operator',
  'invalid_preset',
  'snapshot_unavailable',
  'no_data_on_day',
  'symbol_not_found',
] as const;

/** A screen as the universe of a portfolio or a sweep. */
export const screenField = z.preprocess(
  withoutReplaced,
  fullBody
    .pick({ preset: true, conditions: true, where: true, sort: true, asset_type: true, symbols: true, limit: true })
    .meta({ id: 'ScreenUniverse' }),
);

/** An order by a value in the language of rules. */
export interface RuleSort {
  readonly by: RuleValue;
  readonly order: SortOrder['order'];
}

export interface ScreenRequest {
  readonly conditions: readonly Condition[];
  /** The conditions that `and` joins; none: no rule is given. */
  readonly where: readonly RuleCondition[];
  readonly columns: readonly { readonly name: string; readonly rule: RuleValue }[];
  readonly sort: SortOrder | RuleSort;
  readonly members: ScreenMembers;
  readonly limit: number;
  readonly offset: number;
  /** Closes of each item. */
  readonly closes: number;
  /** Calendar years of its history; null: none is asked for. */
  readonly historyYears: number | null;
  /** Own columns that its rules name; undefined: none, or they were not looked up. */
  readonly own: UsedColumn[] | undefined;
}

/** A screen whose rules may name the columns of the caller. `at`: the place of the screen in the call. */
export async function readCallersScreen(
  call: { readonly services: Services; readonly caller: Caller },
  body: z.output<typeof screenerBody>,
  at?: readonly string[],
): Promise<ScreenRequest> {
  const { where, columns = {}, sort } = body;
  const own = await readableColumns(call, [where, sort?.by, ...Object.values(columns)]);
  return readScreen(body, call.services.market.directory, at, own);
}

/**
 * Throws when a condition, the sort, or what names the instruments is invalid. `at`: the place of the screen in the call. `own`: the columns
 * that its rules may name; absent: of any name and kind.
 */
export function readScreen(
  body: z.output<typeof screenerBody>,
  directory: Directory,
  at: readonly string[] = ['body'],
  own?: readonly UsedColumn[],
): ScreenRequest {
  const { preset, conditions, where, columns = {}, sort, limit, offset, closes, history } = body;
  const ready = preset === undefined ? null : findPreset(preset);
  const refuseAt =
    (...path: readonly (string | number)[]): Refuse =>
    (name, problem) => {
      throw new ValidationFailure([{ loc: [...at, ...path, name], type: 'parameter', problem }]);
    };
  const sortOf = (given: NonNullable<typeof sort>): SortOrder | RuleSort => {
    const { field, by, order } = given;
    const refuse: Refuse = refuseAt('sort');
    if (by === undefined) {
      if (field === undefined) refuse('field', { code: 'required' });
      return { field, period: periodOf({ ...given, field }, refuse), order };
    }
    if (field !== undefined) refuse('by', { code: 'not_together', details: { name: 'field' } });
    if (given.period !== undefined) refuse('period', { code: 'not_together', details: { name: 'by' } });
    return { by: valueAt(by, [...at, 'sort', 'by'], own), order };
  };
  if (where !== undefined && conditions.length > 0)
    refuseAt()('where', { code: 'not_together', details: { name: 'conditions' } });
  const names = Object.keys(columns);
  const conditionList =
    ready?.conditions ?? conditions.map((given, i) => conditionOf(given, refuseAt('conditions', i)));
  const rules = where === undefined ? [] : conditionsAt(where, [...at, 'where'], own);
  const compared = body.condition_columns
    ? [...conditionList.map(ruleOf), ...rules.map(({ text }) => text)].flatMap(comparedIn)
    : [];
  if (names.length > SCREEN_LIMITS.columns) {
    refuseAt()('columns', { code: 'list_too_long', details: { max: SCREEN_LIMITS.columns } });
  }
  const shown = [
    ...names.map((name) => ({ name, rule: valueAt(columns[name], [...at, 'columns', name], own) })),
    ...[...new Set(compared)].map((text) => ({ name: text, rule: valueAt(text, [...at, 'where'], own) })),
  ];
  const order = ready?.sort ?? (sort ? sortOf(sort) : DEFAULT_SORT);
  const all = [...rules, ...shown.map(({ rule }) => rule), ...('by' in order ? [order.by] : [])];
  return {
    conditions: conditionList,
    where: rules,
    columns: shown,
    sort: order,
    own: columnsNamed(own, new Set(all.flatMap(({ columnNames }) => [...columnNames]))),
    members: readMembers(body, directory, [...at, 'symbols']),
    limit,
    offset,
    closes,
    historyYears: history?.years ?? null,
  };
}

export const valuesOf = ({ columns, sort }: ScreenRequest) => [
  ...columns.map(({ rule }) => rule),
  ...('by' in sort ? [sort.by] : []),
];

/** Where the rules of a screen name other instruments. */
export function tickersOf(request: ScreenRequest): readonly NamedTicker[] {
  return [...request.where, ...valuesOf(request)].flatMap(({ tickers }) => tickers);
}

/** Throws the problem of a field. */
type Refuse = (name: string, problem: Problem) => never;

/** The effective period: the field's default if there is none, and null for a field without a period. */
function periodOf(
  { field, period: given }: { readonly field: string; readonly period?: number },
  refuse: Refuse,
): number | null {
  const { defaultPeriod } = requireField(field);
  if (defaultPeriod !== null) return given ?? defaultPeriod;
  if (given !== undefined) refuse('period', { code: 'no_period', details: { field } });
  return null;
}

function conditionOf(given: z.output<typeof screenerBody>['conditions'][number], refuse: Refuse): Condition {
  const field = requireField(given.field);
  const comparison = requireComparison(given.op);
  if (comparison.kind !== field.kind) {
    const allowed = COMPARISONS.filter(({ kind }) => kind === field.kind).map(({ code }) => code);
    throw new ServiceError('invalid_screener_operator', { value: given.op, allowed: allowed.join(', ') });
  }
  const { op, value = 0, value2 = 0 } = given;
  if (comparison.arity >= 1 && given.value === undefined) refuse('value', { code: 'needs_value', details: { op } });
  if (comparison.arity === 2) {
    if (given.value2 === undefined) refuse('value2', { code: 'needs_second_value', details: { op } });
    if (value2 < value) refuse('value2', { code: 'smaller_than_value' });
  }
  return { field: given.field, op, period: periodOf(given, refuse), value, value2 };
}
