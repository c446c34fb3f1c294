/** Completion of a query: views after `from` and `join`, else columns of the views that it names, and words of SQL. */

type ColumnType = 'text' | 'number' | 'integer' | 'date' | 'boolean';

export interface SqlView {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
}

const BAR = { symbol: 'text', date: 'date', open: 'number', high: 'number', low: 'number', close: 'number' } as const;
const FACTORS = { split_factor: 'number', total_factor: 'number' } as const;
const PARTITION = { venue_mode: 'text', year: 'integer' } as const;

export const SQL_SCHEMA: readonly SqlView[] = [
  { name: 'bars', columns: { ...BAR, volume: 'integer', ...FACTORS, ...PARTITION } },
  { name: 'bars_adjusted', columns: { ...BAR, volume: 'number', total_return_close: 'number', ...PARTITION } },
  {
    name: 'symbols',
    columns: {
      symbol: 'text',
      ticker: 'text',
      name: 'text',
      asset_type: 'text',
      primary_venue: 'text',
      currency: 'text',
      listed_on: 'date',
      delisted_on: 'date',
      delisting_return_pct: 'number',
      lot_size: 'integer',
      ...FACTORS,
    },
  },
  { name: 'events', columns: { symbol: 'text', ex_date: 'date', kind: 'text', factor: 'number' } },
  { name: 'sessions', columns: { venue_mode: 'text', date: 'date', rows: 'integer', is_complete: 'boolean' } },
  {
    name: 'screener_daily',
    columns: {
      symbol: 'text',
      date: 'date',
      close: 'number',
      change_pct: 'number',
      gap_pct: 'number',
      volume: 'number',
      dollar_volume: 'number',
      volume_ratio_20: 'number',
      sma_50: 'number',
      ema_20: 'number',
      price_vs_sma_pct_50: 'number',
      sma_slope_pct_50: 'number',
      above_sma_50: 'boolean',
      roc_pct_20: 'number',
      rsi_14: 'number',
      atr_pct_14: 'number',
      volatility_pct_20: 'number',
      near_high_pct_252: 'number',
      new_high_252: 'boolean',
      new_low_252: 'boolean',
      pullback_from_high_pct_60: 'number',
      range_position_pct_20: 'number',
      days_since_high_252: 'number',
    },
  },
  {
    name: 'my_columns',
    columns: {
      name: 'text',
      owner: 'text',
      symbol: 'text',
      date: 'date',
      known_at: 'text',
      seen: 'date',
      value: 'number',
      label: 'text',
      version: 'integer',
      added_in: 'integer',
    },
  },
];

export interface SqlChoice {
  readonly text: string;
  /** The views of a column; empty for other words. */
  readonly of: string;
}

export interface SqlCompletion {
  /** The word before the cursor, which a choice replaces. */
  readonly from: number;
  readonly to: number;
  readonly choices: readonly SqlChoice[];
}

const WORDS = (
  'select from where group by order limit having join using with as and or not in between is null distinct case when then else end ' +
  'desc asc over partition filter count sum avg min max median stddev round abs date_trunc lag lead first last row_number'
).split(' ');
const MOST = 12;

const WORD_BEFORE = /[A-Za-z_][A-Za-z_0-9]*$/;
const VIEW_FOLLOWS = /\b(from|join)\s+$/i;

export function sqlCompletion(text: string, cursor: number): SqlCompletion {
  const before = text.slice(0, cursor);
  const word = WORD_BEFORE.exec(before)?.[0] ?? '';
  const from = cursor - word.length;
  const start = word.toLowerCase();
  const isView = VIEW_FOLLOWS.test(before.slice(0, from));
  const offered = isView ? SQL_SCHEMA.map(({ name }): SqlChoice => ({ text: name, of: '' })) : columnsAndWords(text);
  const choices = offered.filter(({ text: one }) => one.startsWith(start) && one !== start);
  return { from, to: cursor, choices: isInText(before) ? [] : choices.slice(0, MOST) };
}

/** Whether the cursor is within quotes. */
const isInText = (before: string) => (before.split("'").length - 1) % 2 === 1;

function columnsAndWords(text: string): SqlChoice[] {
  const named = SQL_SCHEMA.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
  const viewsOf = new Map<string, string[]>();
  for (const { name, columns } of named.length === 0 ? SQL_SCHEMA : named) {
    for (const column of Object.keys(columns)) viewsOf.set(column, [...(viewsOf.get(column) ?? []), name]);
  }
  const columns = [...viewsOf].map(([column, views]): SqlChoice => ({ text: column, of: views.join(', ') }));
  const views = SQL_SCHEMA.map(({ name }) => name);
  return [...columns, ...[...WORDS, ...views].map((word) => ({ text: word, of: '' }))];
}
