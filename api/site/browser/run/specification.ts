/**
 * The specification of a run, as the API takes it, and as its page has it: in the fields of the form and in the query of the
 * address, by the same names. `settingsOf` and `runIn` are inverse to each other.
 */

/** Own rules as texts. */
export interface Rules {
  readonly entry: string;
  readonly exit?: string;
  readonly stop?: string;
  readonly trail?: string;
}
type Parameters = Readonly<Record<string, number | string | boolean>>;

/** Interest on cash: percent a year, or the name of a column, and basis points below it. */
interface CashRate {
  readonly rate: number | string;
  readonly spread_bps?: number | undefined;
}

/** The part of a specification that runs of all kinds have. */
export interface RunBody {
  readonly strategy: string;
  /** The texts of the strategy `rules`. */
  readonly rules?: Rules;
  readonly time_range?: string;
  readonly start?: string;
  readonly end?: string;
  readonly params?: Parameters;
  readonly execute_on?: string;
  readonly adjust?: string;
  readonly cost?: Readonly<Record<string, number>>;
  readonly cash?: CashRate | undefined;
  /** The column of the risk-free rate. */
  readonly risk_free?: string;
  readonly save?: boolean;
}

/** Values by the names of the fields of a form. */
export type Settings = Readonly<Record<string, string>>;

/** Code of a strategy that is written as rules. */
export const OWN_RULES = 'rules';
export const RULE_PARTS = ['entry', 'exit', 'stop', 'trail'] as const satisfies readonly (keyof Rules)[];
const PLAIN = ['strategy', 'time_range', 'start', 'end', 'execute_on', 'adjust', 'risk_free'] as const;
const COSTS = ['commission_rate', 'min_commission', 'slippage_bps'] as const;
const CASH = ['rate', 'spread_bps'] as const satisfies readonly (keyof CashRate)[];
const PARAMETER = 'p.';
/** Before the name of a parameter that a search varies. */
export const AXIS = 'g.';
const RULE = 'rule.';
export const DEFAULT_STRATEGY = 'chandelier';

/** Defaults of every form, link, and hand-over of the site. Those of the API are others, and stay: calls of the site name all of these. */
const DEFAULTS = { execute_on: 'next_open', adjust: 'total', cost: { slippage_bps: 5 } } as const;
export const DEFAULT_RANGE = '5Y';

/** A call with the defaults of the site in place of what it does not name. */
export function withDefaults<Body extends object & Pick<RunBody, 'start'>>(body: Body) {
  return { ...(body.start === undefined ? { time_range: DEFAULT_RANGE } : {}), ...DEFAULTS, ...body };
}

export function settingsOf({ rules, params = {}, cost = {}, ...run }: Partial<RunBody>): Settings {
  const named = [
    ...PLAIN.map((name) => [name, run[name]]),
    ...RULE_PARTS.map((part) => [`${RULE}${part}`, rules?.[part]]),
    ...Object.entries(costsOf(cost)),
    ...CASH.map((name) => [`cash_${name}`, run.cash?.[name]]),
    ...Object.entries(params).map(([name, value]) => [`${PARAMETER}${name}`, value]),
  ];
  return Object.fromEntries(
    named.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
}

export function runIn(settings: Settings): RunBody {
  const { strategy = DEFAULT_STRATEGY, time_range, start, end, execute_on, adjust, risk_free } = settings;
  const costs = COSTS.flatMap((name) => (settings[name] === undefined ? [] : [[name, Number(settings[name])]]));
  const params = Object.entries(parametersIn(settings)).map(([name, value]) => [name, literal(value)]);
  const [rate, spread] = CASH.map((name) => settings[`cash_${name}`]);
  const cash = cashOf({
    rate: rate?.trim() && Number.isFinite(Number(rate)) ? Number(rate) : rate,
    spread_bps: spread === undefined ? spread : Number(spread),
  });
  const plain = { ...(start === undefined ? { time_range } : { start }), end, execute_on, adjust, risk_free, cash };
  return withDefaults({
    strategy,
    ...(strategy === OWN_RULES ? { rules: rulesIn(settings) } : {}),
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    cost: costsOf({ ...DEFAULTS.cost, ...Object.fromEntries(costs) }),
    ...(params.length === 0 ? {} : { params: Object.fromEntries(params) }),
  });
}

/** The costs that are not zero, and the slippage, which is not where nothing is said. */
export function costsOf({ slippage_bps = 0, ...costs }: Readonly<Record<string, number>>): Record<string, number> {
  return { ...Object.fromEntries(Object.entries(costs).filter(([, value]) => value !== 0)), slippage_bps };
}

/** Undefined without a rate. A spread of 0 below a number is the default. */
export function cashOf({ rate, spread_bps }: Partial<CashRate> = {}): CashRate | undefined {
  if (rate === undefined || rate === '') return undefined;
  const isDefault = spread_bps === undefined || (spread_bps === 0 && typeof rate === 'number');
  return isDefault ? { rate } : { rate, spread_bps };
}

export function rulesIn(settings: Settings): Rules {
  const parts = RULE_PARTS.filter((part) => settings[`${RULE}${part}`]);
  return { entry: '', ...Object.fromEntries(parts.map((part) => [part, settings[`${RULE}${part}`]])) };
}

/** The values that an address names. */
export function settingsInAddress(): Settings {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Values of parameters, by their own names. */
export function parametersIn(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => name.startsWith(PARAMETER))
      .map(([name, value]) => [name.slice(PARAMETER.length), value]),
  );
}

/** Names of the parameters that have a value, or a range of values to try. */
export function parameterNames(settings: Settings): string[] {
  return Object.keys(settings).flatMap((name) =>
    name.startsWith(PARAMETER) || name.startsWith(AXIS) ? [name.slice(2)] : [],
  );
}

/** `10` → 10, `true` → true, `band` → `band`. */
export function literal(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Values between spaces or commas. */
export const literalsIn = (text: string) =>
  text
    .split(/[\s,，、]+/)
    .filter((part) => part !== '')
    .map(literal);
