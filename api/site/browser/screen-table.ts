/** The table of a screen: its columns, and the medians below them. */
import { html } from 'lit';
import { symbolLink } from './columns.ts';
import { type Column, numberColumn } from './elements/data-table.ts';
import { cellBar, sparkLine } from './plot.ts';
import { compact, fixed, number, percent, price, signedPercent, tone } from './text.ts';
import { t } from './tool-text.ts';
import type { Screened } from './types.ts';

type Hit = Screened['items'][number];
type Medians = NonNullable<Screened['history']>['medians']['all'];

/** Figures besides those that every screen has, in the language of rules. */
export const SCREEN_COLUMNS = {
  month: 'roc(20)',
  year: 'roc(252)',
  distance: '100 * (close / sma(200) - 1)',
  rsi: 'rsi(14)',
  volatility: 'volatility(60)',
} as const;
type Named = keyof typeof SCREEN_COLUMNS;
/** Closes of the line in the table. */
export const SCREEN_CLOSES = 60;

const oneDecimal = (value: number | null) => signedPercent(value, 1);
const WRITTEN: Readonly<Record<Named, (value: number | null) => string>> = {
  month: oneDecimal,
  year: oneDecimal,
  distance: oneDecimal,
  rsi: (value) => fixed(value, 1),
  volatility: (value) => percent(value, 1),
};
const isToned = (name: Named) => name === 'month' || name === 'year';
const figureOf = (hit: Hit, name: Named) => hit.columns?.[name] ?? null;

function ruled(name: Named, title: string): Column<Hit> {
  return numberColumn(name, title, (hit) => figureOf(hit, name), WRITTEN[name], isToned(name) ? tone : undefined);
}

const mostMoneyOf = (items: Screened['items']) => Math.max(...items.map(({ dollar_volume }) => dollar_volume));

export function screenColumns({ items, history }: Screened): Column<Hit>[] {
  const mostMoney = mostMoneyOf(items);
  const farthest = Math.max(...items.map((hit) => Math.abs(figureOf(hit, 'distance') ?? 0)));
  return [
    {
      key: 'symbol',
      title: t('form.symbol'),
      value: ({ symbol }) => symbol,
      cell: ({ symbol, current_symbol }) => html`<b>${symbolLink(symbol, current_symbol)}</b>`,
    },
    { key: 'name', title: t('word.name'), value: ({ name }) => name, tone: () => 'muted name' },
    { key: 'closes', title: t('screener.closes'), isMinor: true, cell: ({ closes }) => sparkLine(closes ?? []) },
    numberColumn('close', t('word.close_price'), ({ close }) => close, price),
    numberColumn('change', t('screener.day'), ({ change_pct }) => change_pct, signedPercent, tone),
    ruled('month', t('screener.month')),
    ruled('year', t('screener.year')),
    {
      ...numberColumn('dollar_volume', t('home.dollar_volume'), (hit: Hit) => hit.dollar_volume),
      cell: ({ dollar_volume }) =>
        html`${cellBar(dollar_volume / mostMoney, 'quiet')} ${compact(dollar_volume, mostMoney)}`,
    },
    {
      ...ruled('distance', t('screener.distance')),
      cell: (hit) =>
        html`${cellBar(Math.abs(figureOf(hit, 'distance') ?? 0) / farthest)} ${oneDecimal(figureOf(hit, 'distance'))}`,
    },
    ruled('rsi', 'rsi(14)'),
    { ...ruled('volatility', t('screener.volatility')), isMinor: true },
    ...(history === undefined ? [] : [DAYS_IN]),
  ];
}

const DAYS_IN: Column<Hit> = {
  key: 'days_in',
  title: t('screener.days_in'),
  isNumber: true,
  value: ({ days_in }) => days_in ?? null,
  cell: ({ days_in }) => (days_in === 1 ? html`<span class="new">${t('screener.new')}</span>` : number(days_in)),
};

/** The medians of those that pass and of all, as cells of `screenColumns`. */
export function medianRows({ items, history, total, eligible }: Screened): unknown[][] {
  if (history === undefined) return [];
  const mostMoney = mostMoneyOf(items);
  const { passing, all } = history.medians;
  return [
    medianRow(t('screener.median.passing', { count: total }), passing, mostMoney),
    medianRow(t('screener.median.all', { count: eligible }), all, mostMoney),
  ];
}

function medianRow(title: string, { change_pct, dollar_volume, columns }: Medians, mostMoney: number): unknown[] {
  const written = (name: Named) => WRITTEN[name](columns[name] ?? null);
  return [
    title,
    '',
    '',
    '',
    signedPercent(change_pct),
    written('month'),
    written('year'),
    compact(dollar_volume, mostMoney),
    written('distance'),
    written('rsi'),
    written('volatility'),
    '',
  ];
}
