/** The list that the reader opens instruments from: a chart beside it leads to the ones before and after. */

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
