/** A vendor whose answers are kept as files: its list of instruments, and the history of one at a time. */
import type { Day } from '../../engine/market/dates.ts';
import type { Provider } from './provider.ts';

/** Exchanges of the US in the words of vendors, with our names of their venues. */
export const VENUES: Readonly<Record<string, string>> = {
  NASDAQ: 'NASDAQ',
  NYSE: 'NYSE',
  'NYSE ARCA': 'NYSEARCA',
  'NYSE MKT': 'NYSEAMERICAN',
  AMEX: 'NYSEAMERICAN',
  BATS: 'BATS',
};

/** Whether it is an instrument of the market that is served. */
export const isOfMarket = (venue: string, currency: string) => Object.hasOwn(VENUES, venue) && currency === 'USD';

/** A record of the vendor's list. */
export interface MirrorListing {
  /** In the vendor's spelling, by which its history is asked for. */
  readonly symbol: string;
  /** The vendor's spelling of the ticker, where the symbol is marked as an earlier holder's. */
  readonly ticker?: string;
  readonly name?: string;
  readonly type: string;
  readonly venue: string;
  readonly currency: string;
  readonly isDelisted: boolean;
  /** Why it is no instrument of the market; absent: it is one. */
  readonly leftOut?: string;
}

/** The fields of a record of a history, after its symbol; the first is its day. */
export type MirrorRow = readonly unknown[];

export interface MirroredVendor {
  readonly id: string;
  /** The vendor's calls, for the dry run. */
  readonly lists: Provider['lists'];
  /** Names of the columns of a row. */
  readonly header: readonly string[];
  /** Records of the list; those that cannot be read go to `reject`. */
  listings(reject: (record: unknown) => void): Promise<MirrorListing[]>;
  /** Oldest first, both days included; null: the vendor does not know the symbol. */
  history(symbol: string, start: Day, end: Day): Promise<MirrorRow[] | null>;
}
