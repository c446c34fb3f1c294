/** How the instruments that a screen found are shown. */
import { html } from 'lit';
import { type Column, numberColumn } from './elements/data-table.ts';
import { CLOSE_COLUMN, SYMBOL_COLUMN, symbolLink } from './market-columns.ts';
import { compact, fixed, number, signedPercent, t, tone } from './text.ts';
import type { Screened } from './types.ts';

type Hit = Screened['items'][number];

export function symbolLinks(names: readonly string[]) {
  return html`<p class="row">${names.length === 0 ? t('screener.none') : names.map((name) => symbolLink(name))}</p>`;
}

export function hitColumns({ items }: Screened, labels: ReadonlyMap<string, string>): Column<Hit>[] {
  const figures = Object.keys(items[0]?.values ?? {}).filter(
    (key) => !['close', 'change_pct', 'volume', 'dollar_volume'].includes(key),
  );
  return [
    SYMBOL_COLUMN,
    { key: 'name', title: t('word.name'), value: ({ name }) => name },
    CLOSE_COLUMN,
    numberColumn('change', t('word.change'), ({ change_pct }) => change_pct, signedPercent, tone),
    numberColumn('dollar_volume', t('screener.dollar_volume'), ({ dollar_volume }) => dollar_volume, compact),
    ...figures.map((key): Column<Hit> => {
      const [field, period] = key.split(':');
      return {
        key,
        title: [labels.get(field) ?? field, period ? `(${period})` : ''].join(' '),
        isNumber: true,
        value: ({ values }) => values[key],
        cell: ({ values }) => figureText(values[key]),
      };
    }),
  ];
}

/** Whole numbers are counts; decimals stand below each other. */
function figureText(value: Hit['values'][string]): string {
  if (typeof value === 'boolean') return value ? '✓' : '–';
  return Number.isInteger(value) ? number(value) : fixed(value);
}
