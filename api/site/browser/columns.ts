/** Columns that several tables share: of instruments and of their bars. */
import { html } from 'lit';
import { type Column, numberColumn } from './elements/data-table.ts';
import { price, t, ticker } from './text.ts';

export const symbolLink = (symbol: string, current = symbol) => html`<a href=${`/s/${current}`}>${ticker(symbol)}</a>`;

/** A past symbol links to the instrument by its symbol of today. */
export const SYMBOL_COLUMN: Column<{ readonly symbol: string; readonly current_symbol?: string }> = {
  key: 'symbol',
  title: t('form.symbol'),
  value: ({ symbol }) => symbol,
  cell: ({ symbol, current_symbol }) => symbolLink(symbol, current_symbol),
};

export const CLOSE_COLUMN: Column<{ readonly close: number }> = numberColumn(
  'close',
  t('word.close_price'),
  ({ close }) => close,
  price,
);
