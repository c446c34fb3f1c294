/** Facts of a file that are known before its lines are loaded. */
import type { Day } from '../../../engine/market/dates.ts';
import { VENUE_BASES, type VenueBasis } from '../../../engine/market/venue-basis.ts';
import type { BarFormat } from './bar-format.ts';
import type { LayoutId } from './layouts/layout.ts';
import type { Packing } from './source-path.ts';

export interface FileFacts {
  /** Null: the file is not loaded. */
  readonly kind: 'bars' | 'symbols' | 'events' | 'minutes' | 'closes' | 'column' | null;
  readonly layout: LayoutId | null;
  /** Why it is not loaded; null: it is. */
  readonly reason: string | null;
  readonly firstLine: string | null;
  readonly told: readonly string[];
  /** First and last session of its bars; null: it has none. */
  readonly days: readonly [Day, Day] | null;
  /** Tickers of its bars, where they become instruments of their own. */
  readonly tickers: readonly string[];
  readonly packing: Packing;
  readonly format?: BarFormat;
  /** The only day that its name allows. */
  readonly onlyDay?: Day;
  /** Whether another look at another time may find something else. */
  readonly isDated?: boolean;
}

export function unread(reason: string, firstLine: string | null = null): FileFacts {
  return { kind: null, layout: null, reason, firstLine, told: [], days: null, tickers: [], packing: 'plain' };
}

export interface Place {
  readonly venueBasis: VenueBasis;
  /** Below `daily/<basis>/`. */
  readonly isOwn: boolean;
  /** Below `minute/<day>/`. */
  readonly isMinutes: boolean;
  /** Below `columns/`. */
  readonly isColumn: boolean;
}

export function placeOf(path: string): Place {
  const [top, second] = path.split('/');
  const venueBasis = VENUE_BASES.find((basis) => top === 'daily' && basis === second);
  return {
    venueBasis: venueBasis ?? 'consolidated',
    isOwn: venueBasis !== undefined,
    isMinutes: top === 'minute',
    isColumn: top === 'columns',
  };
}

/** A column: its name, and the layout of text. */
export const COLUMN_PATH = /^columns\/([^/]+?)\.(?:(csv|ndjson)(?:\.gz)?|parquet|arrow)$/;
const COLUMN_SETTINGS = /^columns\/[^/]+\.json$/;

export function columnFacts(path: string): FileFacts {
  if (COLUMN_PATH.test(path)) return { ...unread(''), kind: 'column', reason: null };
  return unread(
    COLUMN_SETTINGS.test(path)
      ? 'settings'
      : 'a column is columns/<name>.csv, .csv.gz, .ndjson, .ndjson.gz, .parquet, or .arrow',
  );
}
