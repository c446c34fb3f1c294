/** The columns that tables of trades share. */
import type { Column } from '../elements/data-table.ts';
import { price, signed, signedPercent, t, textOr, tone } from '../text.ts';

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
  {
    key: 'entry_price',
    title: t('run.paid'),
    isNumber: true,
    value: ({ entry_price }) => entry_price,
    cell: ({ entry_price }) => price(entry_price),
  },
  { key: 'exit', title: t('run.exit'), value: ({ exit_date }) => exit_date },
  {
    key: 'exit_price',
    title: t('run.got'),
    isNumber: true,
    value: ({ exit_price }) => exit_price,
    cell: ({ exit_price }) => price(exit_price),
  },
  { key: 'reason', title: t('run.reason'), value: ({ exit_reason }) => textOr(`exit.${exit_reason}`, exit_reason) },
];

export const GAIN_COLUMN: Column<Pick<Traded, 'pnl'>> = {
  key: 'pnl',
  title: t('run.gain'),
  isNumber: true,
  value: ({ pnl }) => pnl,
  cell: ({ pnl }) => signed(pnl, 0),
  tone: ({ pnl }) => tone(pnl),
};

export const GAIN_PCT_COLUMN: Column<Pick<Traded, 'pnl_pct'>> = {
  key: 'pnl_pct',
  title: '%',
  isNumber: true,
  value: ({ pnl_pct }) => pnl_pct,
  cell: ({ pnl_pct }) => signedPercent(pnl_pct),
  tone: ({ pnl_pct }) => tone(pnl_pct),
};
