/**
 * The list that the reader opens instruments from: a chart beside it leads to the ones before and after. And the list of symbols that the
 * reader has written.
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

/** Kept in this browser. */
export function keepMyList(symbols: readonly string[]): void {
  try {
    localStorage.setItem(MY_LIST, JSON.stringify(symbols));
  } catch {
    // Without storage, the address of a page still has it.
  }
}

export function myList(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(MY_LIST) ?? '[]');
  } catch {
    return [];
  }
}
