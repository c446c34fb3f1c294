/** The idea of a run in words, which its title, its link preview, and its paper carry: what it may hold, and by which rule. */

export const RANKINGS = ['momentum', 'half_year', 'low_volatility', 'quality', 'reversal', 'year_high'] as const;

/** Rankings to begin with, by name. */
export const SCORE_PRESETS = {
  momentum: 'lag(close, 21) / lag(close, 252)',
  half_year: 'roc(126)',
  low_volatility: '-volatility(126)',
  quality: 'roc(126) / volatility(126)',
  reversal: '-roc(21)',
  year_high: 'close / highest_of(close, 252)',
} as const satisfies Record<(typeof RANKINGS)[number], string>;

/** A result, or its summary, as far as it tells the idea. */
export interface ToldRun {
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly rules?: { readonly entry: string };
  /** Present in rotations. */
  readonly rotation?: { readonly score: string; readonly hold: object };
  readonly universe?: {
    readonly symbols?: readonly string[];
    readonly asset_type?: readonly string[];
    readonly where?: string;
  };
}

/** Instruments of a portfolio that are named. */
const NAMED = 3;

/** `ACRX, LUMA, VEDX +27` */
function namesOf(symbols: readonly string[]): string {
  const named = symbols.slice(0, NAMED).map((symbol) => symbol.replace(/\.US$/, ''));
  return symbols.length > NAMED ? `${named.join(', ')} +${symbols.length - NAMED}` : named.join(', ');
}

type IdeaText =
  | 'rotation.holds'
  | 'rotation.universe.all'
  | `rotation.preset.${(typeof RANKINGS)[number]}`
  | `universe.${'stock' | 'etf'}`;
type Told = (key: IdeaText) => string;

/** The instruments that a run could hold: `All ETFs, close > 5`. */
export function universeWords({ symbol, symbols = [], universe }: ToldRun, t: Told): string {
  if (universe === undefined) return namesOf(symbol === undefined ? symbols : [symbol]);
  const [type, ...others] = universe.asset_type ?? [];
  const isOfType = others.length === 0 && (type === 'stock' || type === 'etf');
  const all = isOfType ? t(`universe.${type}`) : t('rotation.universe.all');
  const named = universe.symbols === undefined ? all : namesOf(universe.symbols);
  return [named, universe.where ?? ''].filter((part) => part !== '').join(', ');
}

/** `Strongest over 6 months: the best 10`, `close > sma(50)`; of a built-in strategy its `name`. */
export function ruleWords({ rules, rotation }: ToldRun, name: string, t: Told): string {
  if (rotation === undefined) return rules?.entry ?? name;
  const { score, hold } = rotation;
  const preset = RANKINGS.find((one) => SCORE_PRESETS[one] === score);
  const ranking = preset === undefined ? score : t(`rotation.preset.${preset}`);
  if (!('top' in hold)) return ranking;
  return t('rotation.holds')
    .replace('{name}', () => ranking)
    .replace('{count}', String(hold.top));
}
