/** Rows of CSV text that comes in chunks of whole lines. */
import Papa from 'papaparse';

/**
 * Splits the chunks of one file. The delimiter comes from the first chunk, so that Papa Parse does not guess it for
 * each.
 */
export class CsvRows {
  private delimiter: string | null = null;

  of(text: string): string[][] {
    this.delimiter ??= Papa.parse(text, { preview: 1 }).meta.delimiter;
    const newline = text.includes('\r') ? undefined : '\n';
    return Papa.parse<string[]>(text, { delimiter: this.delimiter, newline }).data;
  }
}
