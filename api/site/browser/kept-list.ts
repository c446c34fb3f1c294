/**
 * The list that the reader opens instruments from: a chart beside it leads to the ones before and after. And what the reader has written
 * or chosen in this browser: a list of symbols, and sets of columns.
 */

interface KeptItem {
  readonly symbol: string;
  /** Percent since the session before; null: unknown. */
  readonly change: number | null;
}

export interface KeptList {
  readonly title: string;
  /** The page of the list. */
  readonly href: string;
  readonly items: readonly KeptItem[];
}

const KEY = 'list';
const MY_LIST = 'my-list';
const COLUMNS = 'screen-columns';

export function keepList(list: KeptList): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Without storage, charts have no list beside them.
  }
}

/** The list that was opened last; null: none was. */
export function keptList(): KeptList | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

/** Null if the symbol is not in a list. */
export function listWith(symbol: string): KeptList | null {
  const list = keptList();
  return list?.items.some((item) => item.symbol === symbol) ? list : null;
}

/** Keeps a value in this browser. */
export function keepHere(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage, it is there until the page is left.
  }
}

export function keptHere<T>(key: string, otherwise: T): T {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? otherwise;
  } catch {
    return otherwise;
  }
}

export const keepMyList = (symbols: readonly string[]) => keepHere(MY_LIST, symbols);
export const myList = (): readonly string[] => keptHere(MY_LIST, []);

/** Columns of screens by the names of their sets; '' is the one in use. */
export type ColumnSets = Readonly<Record<string, readonly string[]>>;
export const keepColumnSets = (sets: ColumnSets) => keepHere(COLUMNS, sets);
export const columnSets = (): ColumnSets => keptHere(COLUMNS, {});
