/** Everything a rule can name: bar values, indicators, functions, and values of the position, with their arguments. */
import type { LocalizedText } from '../util/localized-text.ts';

/** A value is a number a bar, a condition is true, false, or undefined at a bar. */
export type Kind = 'value' | 'condition';

/** Bars of a period, and the bars that `lag` can go back. */
const PERIODS = { min: 1, max: 504 } as const;
const LAGS = { min: 0, max: 252 } as const;

/** An argument that must be written as a number or a `$parameter`. */
export interface ConstantArgument {
  readonly name: string;
  readonly kind: 'integer' | 'number';
  readonly min: number;
  readonly max: number;
  /** The default if the argument is omitted. */
  readonly default: number;
}

export interface ExpressionArgument {
  readonly name: string;
  readonly kind: Kind;
}

export type Argument = ConstantArgument | ExpressionArgument;

export type Group = 'bar' | 'indicator' | 'window' | 'math' | 'condition' | 'position';

export interface RuleFunction {
  readonly name: string;
  readonly group: Group;
  readonly result: Kind;
  /** Null: written without brackets. */
  readonly args: readonly Argument[] | null;
  /** Two constant arguments, of which the first must be smaller than the second. */
  readonly ordered?: readonly [smaller: string, larger: string];
  readonly description: LocalizedText;
}

const text = (en: string, cn: string, tw: string): LocalizedText => ({ en, 'zh-CN': cn, 'zh-TW': tw });
const period = (value: number, name = 'n'): ConstantArgument => ({
  name,
  kind: 'integer',
  min: PERIODS.min,
  max: PERIODS.max,
  default: value,
});
const multiple = (value: number): ConstantArgument => ({ name: 'k', kind: 'number', min: 0, max: 100, default: value });
const value = (name = 'x'): ExpressionArgument => ({ name, kind: 'value' });
const condition: ExpressionArgument = { name: 'c', kind: 'condition' };

function define(
  group: Group,
  name: string,
  args: RuleFunction['args'],
  description: LocalizedText,
  more: Pick<RuleFunction, 'ordered'> = {},
): RuleFunction {
  return {
    name,
    group,
    result: group === 'condition' ? 'condition' : 'value',
    args,
    description,
    ordered: more.ordered,
  };
}

const BAR_VALUES: readonly RuleFunction[] = [
  define('bar', 'open', null, text('Open', '开盘价', '開盤價')),
  define('bar', 'high', null, text('High', '最高价', '最高價')),
  define('bar', 'low', null, text('Low', '最低价', '最低價')),
  define('bar', 'close', null, text('Close', '收盘价', '收盤價')),
  define('bar', 'volume', null, text('Shares traded', '成交股数', '成交股數')),
  define('bar', 'dollar_volume', null, text('Close × volume', '收盘价 × 成交量', '收盤價 × 成交量')),
  define(
    'bar',
    'day_of_week',
    null,
    text('1 for Monday to 5 for Friday', '星期一为 1，星期五为 5', '星期一為 1，星期五為 5'),
  ),
  define(
    'bar',
    'month',
    null,
    text('1 for January to 12 for December', '一月为 1，十二月为 12', '一月為 1，十二月為 12'),
  ),
];

const INDICATORS: readonly RuleFunction[] = [
  define(
    'indicator',
    'sma',
    [period(50)],
    text('Mean of the last n closes', '最近 n 根收盘价的均值', '最近 n 根收盤價的平均'),
  ),
  define('indicator', 'ema', [period(20)], text('Exponential mean of the closes', '收盘价指数均线', '收盤價指數均線')),
  define(
    'indicator',
    'rsi',
    [period(14)],
    text("Wilder's RSI, 0 to 100", '威尔德 RSI，0 到 100', '威爾德 RSI，0 到 100'),
  ),
  define(
    'indicator',
    'atr',
    [period(14)],
    text("Wilder's average true range", '威尔德平均真实波幅', '威爾德平均真實區間'),
  ),
  define(
    'indicator',
    'roc',
    [period(20)],
    text('Change of the close over n bars, %', 'n 根内收盘价变动（%）', 'n 根內收盤價變動（%）'),
  ),
  define(
    'indicator',
    'volatility',
    [period(20)],
    text(
      'Annualized standard deviation of n log returns, %',
      'n 个对数收益率的年化标准差（%）',
      'n 個對數報酬率的年化標準差（%）',
    ),
  ),
  define(
    'indicator',
    'highest',
    [period(20)],
    text('Highest high of the n bars before', '此前 n 根的最高价', '先前 n 根的最高價'),
  ),
  define(
    'indicator',
    'lowest',
    [period(20)],
    text('Lowest low of the n bars before', '此前 n 根的最低价', '先前 n 根的最低價'),
  ),
  define(
    'indicator',
    'macd',
    [period(12, 'f'), period(26, 's')],
    text('Fast minus slow exponential mean', '快慢指数均线之差', '快慢指數均線之差'),
    { ordered: ['f', 's'] },
  ),
  define(
    'indicator',
    'macd_signal',
    [period(12, 'f'), period(26, 's'), period(9, 'g')],
    text('Exponential mean of g values of the MACD', 'MACD 的 g 根指数均线', 'MACD 的 g 根指數均線'),
    { ordered: ['f', 's'] },
  ),
  define(
    'indicator',
    'bollinger_upper',
    [period(20), multiple(2)],
    text('Mean plus k standard deviations', '均值加 k 倍标准差', '平均加 k 倍標準差'),
  ),
  define(
    'indicator',
    'bollinger_lower',
    [period(20), multiple(2)],
    text('Mean minus k standard deviations', '均值减 k 倍标准差', '平均減 k 倍標準差'),
  ),
];

const FUNCTIONS_OF_VALUES: readonly RuleFunction[] = [
  define(
    'window',
    'sma_of',
    [value(), period(20)],
    text('Mean of the last n values', '最近 n 个值的均值', '最近 n 個值的平均'),
  ),
  define(
    'window',
    'highest_of',
    [value(), period(20)],
    text(
      'Highest of the last n values, this one included',
      '最近 n 个值（含本根）的最大值',
      '最近 n 個值（含本根）的最大值',
    ),
  ),
  define(
    'window',
    'lowest_of',
    [value(), period(20)],
    text(
      'Lowest of the last n values, this one included',
      '最近 n 个值（含本根）的最小值',
      '最近 n 個值（含本根）的最小值',
    ),
  ),
  define(
    'window',
    'stdev_of',
    [value(), period(20)],
    text('Standard deviation of the last n values (÷ n)', '最近 n 个值的标准差（÷ n）', '最近 n 個值的標準差（÷ n）'),
  ),
  define(
    'window',
    'lag',
    [value(), { name: 'n', kind: 'integer', min: LAGS.min, max: LAGS.max, default: 1 }],
    text('The value n bars before', 'n 根之前的值', 'n 根之前的值'),
  ),
  define('math', 'abs', [value()], text('Value without its sign', '绝对值', '絕對值')),
  define('math', 'min', [value(), value('y')], text('The smaller of two values', '两值中较小者', '兩值中較小者')),
  define('math', 'max', [value(), value('y')], text('The larger of two values', '两值中较大者', '兩值中較大者')),
];

const CONDITIONS: readonly RuleFunction[] = [
  define('condition', 'between', [value(), value('a'), value('b')], text('a ≤ x ≤ b', 'a ≤ x ≤ b', 'a ≤ x ≤ b')),
  define(
    'condition',
    'crosses_above',
    [value(), value('y')],
    text('x > y now, and x ≤ y a bar before', '本根 x > y，前一根 x ≤ y', '本根 x > y，前一根 x ≤ y'),
  ),
  define(
    'condition',
    'crosses_below',
    [value(), value('y')],
    text('x < y now, and x ≥ y a bar before', '本根 x < y，前一根 x ≥ y', '本根 x < y，前一根 x ≥ y'),
  ),
  define(
    'condition',
    'for_bars',
    [condition, period(2)],
    text('True at each of the last n bars', '最近 n 根全部成立', '最近 n 根全部成立'),
  ),
  define(
    'condition',
    'within_bars',
    [condition, period(5)],
    text('True at one of the last n bars', '最近 n 根中至少一根成立', '最近 n 根中至少一根成立'),
  ),
];

const POSITION_VALUES: readonly RuleFunction[] = [
  define(
    'position',
    'entry_price',
    null,
    text('Price of the fill, before slippage', '成交价（未计滑点）', '成交價（未計滑價）'),
  ),
  define('position', 'bars_held', null, text('Bars since the fill', '成交后的根数', '成交後的根數')),
  define(
    'position',
    'pnl_pct',
    null,
    text('Close against the fill, %', '收盘价相对成交价（%）', '收盤價相對成交價（%）'),
  ),
  define('position', 'peak', null, text('Highest high since the fill', '成交后的最高价', '成交後的最高價')),
  define('position', 'trough', null, text('Lowest low since the fill', '成交后的最低价', '成交後的最低價')),
  define(
    'position',
    'peak_close',
    null,
    text('Highest close since the fill', '成交后的最高收盘价', '成交後的最高收盤價'),
  ),
  define(
    'position',
    'trough_close',
    null,
    text('Lowest close since the fill', '成交后的最低收盘价', '成交後的最低收盤價'),
  ),
];

export const RULE_FUNCTIONS: readonly RuleFunction[] = [
  ...BAR_VALUES,
  ...INDICATORS,
  ...FUNCTIONS_OF_VALUES,
  ...CONDITIONS,
  ...POSITION_VALUES,
];

const BY_NAME = new Map(RULE_FUNCTIONS.map((fn) => [fn.name, fn]));

export function findFunction(name: string): RuleFunction | null {
  return BY_NAME.get(name) ?? null;
}

export function isConstant(argument: Argument): argument is ConstantArgument {
  return argument.kind === 'integer' || argument.kind === 'number';
}

/** Returns the spelling of a function: `macd(f, s)`, `close`. */
export function usageOf({ name, args }: RuleFunction): string {
  return args === null ? name : `${name}(${args.map((argument) => argument.name).join(', ')})`;
}
