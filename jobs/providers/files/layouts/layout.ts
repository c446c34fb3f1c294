/** The forms of files that people have, as data: a file is recognized by the names in its header, and by its own. */

export const LAYOUT_IDS = [
  ...([
    'own',
    'generic',
    'yahoo',
    'stooq',
    'nasdaq',
    'alpha_vantage',
    'tiingo',
    'eodhd',
    'sharadar',
    'kaggle',
  ] as const),
  ...(['text', 'alpaca', 'massive', 'databento'] as const),
] as const;
export type LayoutId = (typeof LAYOUT_IDS)[number];

/** `unknown`: kept as they are, without any event applied. */
export const PRICE_FORMS = ['as_traded', 'split_adjusted', 'total_adjusted', 'unknown'] as const;
export type PriceForm = (typeof PRICE_FORMS)[number];

export const BAR_FIELDS = ['date', 'open', 'high', 'low', 'close', 'volume'] as const;
export type BarField = (typeof BAR_FIELDS)[number] | 'symbol';

/** How a layout is recognized. Names are in lower case, without `<` and `>`. */
interface Marks {
  readonly id: LayoutId;
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
  readonly fileName?: RegExp;
}

export interface BarLayout extends Marks {
  readonly kind: 'bars';
  /** Columns whose name is not that of the field. */
  readonly columns?: Readonly<Partial<Record<BarField, string>>>;
  readonly prices: PriceForm;
  /** Default 1. */
  readonly headerLines?: number;
  /** The column with the close as traded, by which a line's prices are brought back. */
  readonly closeAsTraded?: string;
  /** Column of splits as new ÷ old shares, where 1 or 0 is none. */
  readonly splits?: string;
  /** Column of cash dividends per share. */
  readonly dividends?: string;
  /** Prices are integers of 1e-9 where none has a point. */
  readonly hasNanoPrices?: boolean;
}

export interface SymbolLayout extends Marks {
  readonly kind: 'symbols';
  readonly columns: {
    readonly symbol: string;
    readonly name?: string;
    readonly type?: string;
    readonly venue?: string;
    readonly currency?: string;
    readonly listed?: string;
    readonly delisted?: string;
    /** A column whose `Y` marks an exchange-traded fund. */
    readonly etf?: string;
    readonly lot?: string;
    /** A column whose `Y` marks a symbol for tests of the exchange. */
    readonly test?: string;
  };
  /** The last line of the file, which is no row. */
  readonly trailer?: RegExp;
  /** Rows whose column has another value are left out. */
  readonly only?: { readonly column: string; readonly value: string };
  /** Column whose `N` tells that `delisted` is the last price of an instrument that trades. */
  readonly isDelisted?: string;
}

export interface EventLayout extends Marks {
  readonly kind: 'events';
  readonly columns: {
    readonly date: string;
    readonly symbol?: string;
    /** The action, in the vendor's word. */
    readonly action?: string;
    readonly value: string;
  };
  /** The vendor's word → what the value is; other actions are left out. */
  readonly actions: Readonly<Record<string, 'new_per_old' | 'amount'>>;
}

export type Layout = BarLayout | SymbolLayout | EventLayout;
