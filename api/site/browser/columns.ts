/** Columns that several tables share: of instruments, of their bars, and of trades. */
import { html } from 'lit';
import { type Column, numberColumn } from './elements/data-table.ts';
import { price, signed, signedPercent, t, textOr, tone } from './text.ts';

export const symbolLink = (symbol: string, current = symbol) => html`<a href=${`/s/${current}`}>${symbol}</a>`;

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

interface Traded {
  readonly seq: number;
  readonly entry_date: string;
  readonly entry_price: number;
  readonly exit_date: string;
  readonly exit_price: number;
  readonly exit_reason: string;
  readonly pnl: number;
  readonly pnl_pct: number;
}

export const NUMBER_COLUMN: Column<Pick<Traded, 'seq'>> = {
  key: 'seq',
  title: t('run.number'),
  isNumber: true,
  value: ({ seq }) => seq,
};

/** Dates and prices of the entry and the exit, and the reason for the exit. */
export const FILL_COLUMNS: readonly Column<Traded>[] = [
  { key: 'entry', title: t('run.entry'), value: ({ entry_date }) => entry_date },
  numberColumn('entry_price', t('run.paid'), ({ entry_price }) => entry_price, price),
  { key: 'exit', title: t('run.exit'), value: ({ exit_date }) => exit_date },
  numberColumn('exit_price', t('run.got'), ({ exit_price }) => exit_price, price),
  { key: 'reason', title: t('run.reason'), value: ({ exit_reason }) => textOr(`exit.${exit_reason}`, exit_reason) },
];

export const GAIN_COLUMN: Column<Pick<Traded, 'pnl'>> = numberColumn(
  'pnl',
  t('run.gain'),
  ({ pnl }) => pnl,
  (value) => signed(value, 0),
  tone,
);

export const GAIN_PCT_COLUMN: Column<Pick<Traded, 'pnl_pct'>> = numberColumn(
  'pnl_pct',
  '%',
  ({ pnl_pct }) => pnl_pct,
  signedPercent,
  tone,
);
