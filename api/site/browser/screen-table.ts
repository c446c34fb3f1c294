/** The table of a screen: the columns that it can have, and the medians below them. */
import { html } from 'lit';
import { conditionIn, ruleOfField } from '../../../engine/screener/field-rules.ts';
import { symbolLink } from './columns.ts';
import { type Column, numberColumn } from './elements/data-table.ts';
import { cellBar, sparkLine } from './plot.ts';
import { type Dictionary, fieldWords, figureWords } from './screen-words.ts';
import { compact, number, price, signedPercent, textOr, tone } from './text.ts';
import { t } from './tool-text.ts';
import type { Screened } from './types.ts';

type Hit = Screened['items'][number];
type Medians = NonNullable<Screened['history']>['medians']['all'];

export interface ScreenColumn extends Column<Hit> {
  /** The order of a screen by it; undefined: only what is shown can be sorted. */
  readonly by?: { readonly field: string } | { readonly by: string };
  /** The median of some instruments; undefined: it has none. */
  readonly median?: (medians: Medians) => unknown;
}

/** Figures of fields that can be columns, besides those of the conditions: name → field and period. */
const FIGURES: Readonly<Record<string, readonly [field: string, period: number | null]>> = {
  week: ['roc_pct', 5],
  month: ['roc_pct', 20],
  quarter: ['roc_pct', 63],
  half: ['roc_pct', 126],
  year: ['roc_pct', 252],
  gap: ['gap_pct', null],
  ratio: ['volume_ratio', 20],
  distance: ['price_vs_sma_pct', 200],
  distance50: ['price_vs_sma_pct', 50],
  distance20: ['price_vs_sma_pct', 20],
  sma20: ['sma', 20],
  sma50: ['sma', 50],
  sma200: ['sma', 200],
  ema20: ['ema', 20],
  slope50: ['sma_slope_pct', 50],
  slope200: ['sma_slope_pct', 200],
  rsi: ['rsi', 14],
  rsi2: ['rsi', 2],
  atr: ['atr_pct', 14],
  volatility20: ['volatility_pct', 20],
  volatility: ['volatility_pct', 60],
  high60: ['near_high_pct', 60],
  high: ['near_high_pct', 252],
  pullback60: ['pullback_from_high_pct', 60],
  pullback: ['pullback_from_high_pct', 252],
  range20: ['range_position_pct', 20],
  range: ['range_position_pct', 252],
};
/** Stands for what the conditions of a screen compare. */
const OF_CONDITIONS = 'conditions';
/** The columns that a reader begins with. */
export const FIRST_COLUMNS = ['name', 'closes', 'close', 'change', OF_CONDITIONS, 'year', 'dollar_volume', 'days_in'];
/** Figures that an example has. */
const IN_EXAMPLES = ['month', 'year', 'distance', 'rsi', 'volatility'];
/** Closes of the line in the table. */
export const SCREEN_CLOSES = 60;

/** The figures among some columns as the API takes them: name → rule. */
export function figuresOf(chosen: readonly string[]): Record<string, string> {
  const named = chosen.filter((name) => name in FIGURES);
  return Object.fromEntries(named.map((name) => [name, ruleOfField(...FIGURES[name]) ?? '']));
}

/** Whether an example has all of some columns. */
export const isOfExamples = (chosen: readonly string[]) =>
  Object.keys(figuresOf(chosen)).every((name) => IN_EXAMPLES.includes(name));

const bare = (rule: string) => rule.replaceAll(/\s/g, '');

/** A column of a figure by its name in the answer. */
function figureColumn(key: string, title: string, rule: string, write: (value: number | null) => string): ScreenColumn {
  const value = (hit: Hit) => hit.columns?.[key] ?? null;
  const isChange = rule.startsWith('roc(');
  return {
    ...numberColumn(key, title, value, write, isChange ? tone : undefined),
    by: { by: rule },
    median: ({ columns }) => write(columns[key] ?? null),
  };
}

/** Beyond this, figures are written with a unit. */
const LARGE = 100_000;
const anyFigure = (value: number | null) => (Math.abs(value ?? 0) < LARGE ? price(value) : compact(value));

/** Columns of the values that conditions compare, each once; those in `known` are left out. */
function conditionColumns(funnel: Screened['funnel'], words: Dictionary, known: Set<string>): ScreenColumn[] {
  return funnel.flatMap(({ rule, values }) => {
    const condition = conditionIn(rule ?? '');
    const field = words.fields.find(({ field, kind }) => field === condition?.field && kind === 'number');
    return values.flatMap((text) => {
      const said = (field && ruleOfField(field.field, condition?.period ?? null)) ?? text;
      if (known.has(bare(said))) return [];
      known.add(bare(said));
      const title = field ? fieldWords(field, condition?.period ?? null) : text;
      return figureColumn(text, title, said, (value) => (field ? figureWords(field, value) : anyFigure(value)));
    });
  });
}

/** The columns that a table can have besides the symbol, in the order in which they are offered. */
export function offeredColumns({ items, funnel, history }: Screened, words: Dictionary): ScreenColumn[] {
  const mostMoney = Math.max(...items.map(({ dollar_volume }) => dollar_volume));
  const money = (value: number | null) => compact(value, mostMoney);
  const distanceOf = ({ columns }: Hit) => Math.abs(columns?.distance ?? 0);
  const farthest = Math.max(...items.map(distanceOf));
  const figures = Object.entries(figuresOf(Object.keys(FIGURES))).flatMap(([name, rule]) => {
    const [code, period] = FIGURES[name];
    const field = words.fields.find(({ field }) => field === code);
    if (!field) return [];
    const write = (value: number | null) => figureWords(field, value);
    const column = figureColumn(name, textOr(`screener.${name}`, fieldWords(field, period)), rule, write);
    const withBar = (hit: Hit) => html`${cellBar(distanceOf(hit) / farthest)} ${write(hit.columns?.distance ?? null)}`;
    return name === 'distance' ? { ...column, cell: withBar } : column;
  });
  return [
    { key: 'name', title: t('word.name'), className: 'name', value: ({ name }) => name, tone: () => 'muted' },
    { key: 'closes', title: t('screener.closes'), isMinor: true, cell: ({ closes }) => sparkLine(closes ?? []) },
    { ...numberColumn('close', t('word.close_price'), ({ close }: Hit) => close, price), by: { field: 'close' } },
    {
      ...numberColumn('change', t('screener.day'), ({ change_pct }: Hit) => change_pct, signedPercent, tone),
      by: { field: 'change_pct' },
      median: ({ change_pct }) => signedPercent(change_pct),
    },
    { key: OF_CONDITIONS, title: t('screener.columns.conditions', { count: funnel.length }) },
    ...figures,
    {
      ...numberColumn('dollar_volume', t('home.dollar_volume'), (hit: Hit) => hit.dollar_volume),
      cell: ({ dollar_volume }) => html`${cellBar(dollar_volume / mostMoney, 'quiet')} ${money(dollar_volume)}`,
      by: { field: 'dollar_volume' },
      median: ({ dollar_volume }) => money(dollar_volume),
    },
    {
      ...numberColumn(
        'volume',
        t('word.volume'),
        ({ volume }: Hit) => volume,
        (volume) => compact(volume),
      ),
      by: { field: 'volume' },
    },
    { key: 'venue', title: t('screener.venue'), value: ({ primary_venue }) => primary_venue },
    ...(history === undefined ? [] : [DAYS_IN]),
  ];
}

const SYMBOL: ScreenColumn = {
  key: 'symbol',
  title: t('form.symbol'),
  value: ({ symbol }) => symbol,
  cell: ({ symbol, current_symbol }) => html`<b>${symbolLink(symbol, current_symbol)}</b>`,
};

const DAYS_IN: ScreenColumn = {
  key: 'days_in',
  title: t('screener.days_in'),
  isNumber: true,
  value: ({ days_in }) => days_in ?? null,
  cell: ({ days_in }) => (days_in === 1 ? html`<span class="new">${t('screener.new')}</span>` : number(days_in)),
};

/** The symbol, and the `chosen` columns in their order. */
export function chosenColumns(screened: Screened, words: Dictionary, chosen: readonly string[]): ScreenColumn[] {
  const offered = new Map(offeredColumns(screened, words).map((column) => [column.key, column]));
  const rules = Object.values(figuresOf(chosen));
  const known = new Set([...rules, ...chosen].map(bare));
  const columnsOf = (key: string) =>
    key === OF_CONDITIONS ? conditionColumns(screened.funnel, words, known) : (offered.get(key) ?? []);
  return [SYMBOL, ...chosen.flatMap(columnsOf)];
}

/** How many columns are in sight besides the symbol, and how many there are. */
export function columnCounts(screened: Screened, words: Dictionary, chosen: readonly string[]) {
  const lengthOf = (keys: readonly string[]) => chosenColumns(screened, words, keys).length - 1;
  const others = chosen.filter((key) => key !== OF_CONDITIONS);
  const ofConditions = lengthOf([...others, OF_CONDITIONS]) - lengthOf(others);
  return { count: lengthOf(chosen), total: offeredColumns(screened, words).length - 1 + ofConditions };
}

/** The medians of those that pass and of all, as cells of `columns`. */
export function medianRows(
  { history, total, eligible }: Screened,
  [, ...columns]: readonly ScreenColumn[],
): unknown[][] {
  if (history === undefined) return [];
  const { passing, all } = history.medians;
  const row = (title: string, medians: Medians) => [title, ...columns.map(({ median }) => median?.(medians) ?? '')];
  return [
    row(t('screener.median.passing', { count: total }), passing),
    row(t('screener.median.all', { count: eligible }), all),
  ];
}
