/** Rows of CSV text that comes in chunks of whole lines. */
import Papa from 'papaparse';

/** Papa Parse looks at so many lines too. */
const LINES_TO_GUESS = 10;

/**
 * Splits the chunks of one file. `Papa.parse` would split each of them eight times to guess the delimiter and the ends of lines, and
 * its state keeps the rows of one chunk alive until V8 has moved them to the old generation, which takes as long as the parsing.
 * So the delimiter is guessed from the first lines of the file, and where lines end in one way, the parser inside is called directly.
 */
export class CsvRows {
  private delimiter: string | null = null;

  of(text: string): string[][] {
    this.delimiter ??= Papa.parse(firstLines(text)).meta.delimiter;
    const { delimiter } = this;
    if (text.includes('\r')) return Papa.parse<string[]>(text, { delimiter }).data;
    return new Papa.Parser({ delimiter, newline: '\n' }).parse(text, 0, false).data;
  }
}

function firstLines(text: string): string {
  let end = 0;
  for (let lines = 0; lines < LINES_TO_GUESS; lines++) {
    const at = text.indexOf('\n', end);
    if (at === -1) return text;
    end = at + 1;
  }
  return text.slice(0, end);
}
