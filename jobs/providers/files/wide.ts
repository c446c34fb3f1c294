/** Downloads of many tickers side by side, as `yf.download` writes them: each line becomes a row of each ticker. */

import { ProviderError } from '../provider.ts';
import { quotedField, splitFields } from '../text-chunks.ts';
import type { FileChunk } from './source-path.ts';

/** Two of names, and one of the index. */
const HEADER_LINES = 3;
const FIRST_CELLS = ['price', 'ticker'] as const;
/** Columns of the rows, in the words of the file. */
const FIGURES = ['open', 'high', 'low', 'close', 'adj close', 'volume', 'dividends', 'stock splits'] as const;

interface Wide {
  /** Positions of the figures by ticker; -1: there is none. */
  readonly tickers: readonly (readonly [string, readonly number[]])[];
  readonly width: number;
}

const cells = (line: string | undefined) => splitFields(line ?? '', ',')?.map((text) => text.trim()) ?? [];

/** The columns of two header lines, of which one names the figures and one the tickers; null: they are of one ticker, or other lines. */
function wideOf(lines: readonly string[]): Wide | null {
  const [first, second] = [cells(lines[0]), cells(lines[1])];
  const names = [first[0], second[0]].map((text) => text?.toLowerCase());
  if (FIRST_CELLS.some((name) => !names.includes(name)) || first.length !== second.length) return null;
  const [figures, tickers] = names[0] === 'price' ? [first, second] : [second, first];
  const places = Map.groupBy(tickers.map((ticker, i) => ({ ticker, i })).slice(1), ({ ticker }) => ticker);
  if (places.size < 2 && names[0] === 'price') return null;
  const at = (own: readonly { readonly i: number }[], name: string) =>
    own.find(({ i }) => figures[i].toLowerCase() === name)?.i ?? -1;
  return {
    tickers: [...places].map(([ticker, own]) => [ticker, FIGURES.map((name) => at(own, name))]),
    width: first.length,
  };
}

export const isWide = (lines: readonly string[]) => wideOf(lines) !== null;

/** The rows of a file, numbered from its header line on. A line that is none of the table stays as it is. */
export async function* wideRows(chunks: AsyncIterable<FileChunk>): AsyncGenerator<FileChunk> {
  let wide: Wide | null = null;
  let head: string[] = [];
  let next = 1;
  for await (const chunk of chunks) {
    let { lines } = chunk;
    const rows: string[] = [];
    if (wide === null) {
      head = [...head, ...lines];
      if (head.length < HEADER_LINES) continue;
      wide = wideOf(head);
      if (wide === null) throw new ProviderError('its header is not that of a table of tickers', { isLocal: true });
      rows.push(headerOf(wide));
      lines = head.slice(HEADER_LINES);
    }
    const broken = new Set<number>();
    for (const line of lines) {
      const fields = cells(line);
      if (fields.length !== wide.width) broken.add(rows.length);
      rows.push(...(fields.length === wide.width ? rowsOf(fields, wide) : [line]));
    }
    yield { ...chunk, lines: rows, line: next, broken };
    next += rows.length;
  }
}

/** Names by which layouts are told: without adjusted closes, prices are adjusted for dividends too. */
function headerOf({ tickers }: Wide): string {
  const has = (name: (typeof FIGURES)[number]) => tickers.some(([, places]) => places[FIGURES.indexOf(name)] !== -1);
  const nameOf = (name: (typeof FIGURES)[number]) => {
    const isEvents = name === 'dividends' || name === 'stock splits';
    return has(name) || (isEvents && !has('adj close')) ? name : 'adjusted';
  };
  return ['ticker', 'date', ...FIGURES.map(nameOf)].join(',');
}

function rowsOf(fields: readonly string[], { tickers }: Wide): string[] {
  return tickers.map(([ticker, places]) =>
    [ticker, fields[0], ...places.map((i) => (i === -1 ? '' : fields[i]))].map((text) => quotedField(text)).join(','),
  );
}
