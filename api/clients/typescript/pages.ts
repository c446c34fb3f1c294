/** Lists, read page by page. */
import type { Caller, OperationOptions } from './caller.ts';
import type { InputOf, ItemOf, PagedOperation } from './types.ts';

const PAGE_SIZE = 100;

/**
 * All items of a list, read page by page on demand. An item that a newer one has moved to the next page in between is
 * returned once.
 */
export async function* itemsOf<Id extends PagedOperation>(
  caller: Caller,
  id: Id,
  input: InputOf<Id>,
  options?: OperationOptions,
): AsyncGenerator<ItemOf<Id>, void, undefined> {
  const seen = new Set<string>();
  for (let page = 1, read = 0; ; page++) {
    const query = { size: PAGE_SIZE, ...input.query, page };
    const { total, items } = await caller.data(id, { ...input, query }, options);
    for (const item of items) {
      const text = JSON.stringify(item);
      if (!seen.has(text)) yield item;
      seen.add(text);
    }
    read += items.length;
    if (items.length === 0 || read >= total) return;
  }
}
