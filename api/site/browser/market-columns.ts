/** Columns that tables of instruments and of their bars share. */
import { html } from 'lit';
import type { Column } from './elements/data-table.ts';
import { price, t } from './text.ts';

export const symbolLink = (symbol: string) => html`<a href=${`/s/${symbol}`}>${symbol}</a>`;

export const SYMBOL_COLUMN: Column<{ readonly symbol: string }> = {
  key: 'symbol',
  title: t('form.symbol'),
  value: ({ symbol }) => symbol,
  cell: ({ symbol }) => symbolLink(symbol),
};

export const CLOSE_COLUMN: Column<{ readonly close: number }> = {
  key: 'close',
  title: t('word.close_price'),
  isNumber: true,
  value: ({ close }) => close,
  cell: ({ close }) => price(close),
};
