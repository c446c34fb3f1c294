/** Columns of trades. */
import { type Column, numberColumn } from './elements/data-table.ts';
import { price, signed, signedPercent, textOr, tone } from './text.ts';
import { t } from './tool-text.ts';

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

/** Trades in sight, as ends of their table. */
export const FIRST_TRADES = [10, 0] as const;

/** Dates and prices of the entry and the exit, and the reason for the exit. */
export const FILL_COLUMNS: readonly Column<Traded>[] = [
  { key: 'entry', title: t('run.entry'), value: ({ entry_date }) => entry_date },
  numberColumn('entry_price', t('run.paid'), ({ entry_price }) => entry_price, price),
  { key: 'exit', title: t('run.exit'), value: ({ exit_date }) => exit_date },
  numberColumn('exit_price', t('run.got'), ({ exit_price }) => exit_price, price),
  {
    key: 'reason',
    title: t('run.reason'),
    isMinor: true,
    value: ({ exit_reason }) => textOr(`exit.${exit_reason}`, exit_reason),
  },
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
