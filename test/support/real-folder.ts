/** A folder of real bars of some symbols, as the provider of files reads it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createMarketFolder, type MarketFolder } from './market-folder.ts';

const MARKET = fileURLToPath(new URL('../../../shared/data/market/', import.meta.url));

/** `isKept`: whether a line of a file is written, as far as its symbol is. */
export function createRealFolder(
  symbols: Pick<ReadonlySet<string>, 'has'>,
  isKept = (_line: string) => true,
): MarketFolder {
  const folder = createMarketFolder();
  const isWritten = (line: string) => symbols.has(line.slice(0, line.indexOf(','))) && isKept(line);
  const linesOf = (text: string) => {
    const [header, ...lines] = text.split('\n');
    return [header, ...lines.filter(isWritten)].join('\n');
  };
  for (const name of ['symbols.csv', 'adjustments.csv']) {
    folder.write(name, linesOf(readFileSync(join(MARKET, name), 'utf8')));
  }
  for (const venueBasis of ['consolidated', 'primary_session']) {
    for (const file of readdirSync(join(MARKET, 'daily', venueBasis))) {
      const text = gunzipSync(readFileSync(join(MARKET, 'daily', venueBasis, file))).toString('latin1');
      folder.write(`daily/${venueBasis}/${file}`, linesOf(text));
    }
  }
  return folder;
}
