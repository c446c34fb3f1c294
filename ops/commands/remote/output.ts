/** Output of the remote commands: tables for people, JSON for programs. */
import type { Command } from 'commander';
import { ApiError, type MarketError } from '../../../api/clients/typescript/index.ts';
import { tableOf } from '../tools.ts';

/** Exit code of an invalid command line; that of failures is 1. */
export const USAGE_EXIT_CODE = 2;

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints an answer as JSON (`--json`), or as `text` formats it. */
export function show<T>(command: Command, answer: T, text: (answer: T) => string): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  say(json ? JSON.stringify(answer, null, 2) : text(answer));
}

type Cell = string | number | boolean | null | undefined;

/** A table with formatted numbers; four digits, such as those of a year, have no separator. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return tableOf(
    head,
    rows.map((row) => row.map(cellText)),
  );
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'number'
    ? cell.toLocaleString('en', { maximumFractionDigits: 4, useGrouping: 'min2' })
    : String(cell);
}

/** Prints why a call failed, with the invalid fields if the service lists them. */
export function fail(error: MarketError): void {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}

function sentenceOf(error: MarketError): string {
  if (!(error instanceof ApiError)) return error.message;
  const fields = error.detail.map(({ loc, msg }) => `\n  ${loc.slice(1).join('.')}: ${msg}`).join('');
  const id = error.requestId === null ? '' : ` (request ${error.requestId})`;
  return `${error.message}${id}${fields}`;
}
