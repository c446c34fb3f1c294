/** Shared by the operator's commands: their database, their options, and what they print and ask. */

import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Presets, SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Logger } from 'pino';
import { z } from 'zod';
import { createPool, type Pool } from '../../db/pool.ts';
import { parseDay } from '../../engine/market/dates.ts';
import { withoutMarket } from '../../engine/market/symbols.ts';
import { toError } from '../../engine/util/errors.ts';
import { createLogger } from '../../jobs/logger.ts';
import { type Config, clockOf } from '../config.ts';
import { openDatabase } from '../embedded/database.ts';
import { checkDataFolder } from '../processes/preflight.ts';
import { readConfigOrExit } from '../processes/process.ts';
import { toStartupError } from '../startup-error.ts';

export interface Tools {
  readonly config: Config;
  readonly url: string;
  readonly pool: Pool;
  readonly log: Logger;
  /** The time of the service. */
  readonly now: () => number;
}

/** Runs a command with the database, and closes everything afterwards. */
export async function withTools<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
  const config = readConfigOrExit();
  const log = createLogger('ops', config.LOG_LEVEL);
  checkDataFolder(config);
  const database = await openDatabase(config, log);
  const pool = createPool({ url: database.url, max: 3, applicationName: 'ops' });
  const clock = clockOf(config, log);
  try {
    // A database that does not answer is the command's to tell.
    await clock.read(pool).catch(() => {});
    return await work({ config, url: database.url, pool, log, now: clock.now });
  } finally {
    await pool.end();
    await database.release();
  }
}

/** Exit code of an invalid command line; that of failures is 1. */
const USAGE_EXIT_CODE = 2;
const USAGE_ERRORS = ['commander.unknownCommand', 'commander.unknownOption'];

/** Runs the command line. A failure that an operator can fix is printed as one sentence. */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = USAGE_ERRORS.includes(error.code) ? USAGE_EXIT_CODE : error.exitCode;
      return;
    }
    const plain = toStartupError(error, readConfigOrExit());
    const { message, stack } = toError(error);
    fail(plain ? plain.message : (stack ?? message));
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** A table without lines. */
const chars = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    [side, `${side}-mid`, `${side}-left`, `${side}-right`].map((name) => [name, '']),
  ),
);
const PLAIN = {
  chars: { ...chars, middle: '  ' },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};

/** Rows in aligned columns; null: an empty cell. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const table = new Table({ ...PLAIN, head: [...head] });
  table.push(...rows.map((row) => row.map((cell) => String(cell ?? '').replaceAll(/\s*\n\s*/g, ' '))));
  return table.toString().replaceAll(/ +$/gm, '');
}

/** 2026-11-20 21:04:17 */
export function timeText(at: Date | null): string {
  return at === null ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}

const WIDEST = 40;
const NARROWEST = 5;
const USUAL_COLUMNS = 80;

/** Columns of the text of a bar with only a percentage. */
export const PERCENT_COLUMNS = 8;

/** A progress bar that leaves `textColumns` of the terminal to the text of its format. */
export function progressBar(format: string, textColumns: number): SingleBar {
  const { columns = USUAL_COLUMNS } = process.stderr;
  const barsize = Math.max(NARROWEST, Math.min(WIDEST, columns - textColumns));
  return new SingleBar({ format, barsize, clearOnComplete: true }, Presets.shades_classic);
}

/** Whether the operator agrees: by the option --yes (`isAgreed`) or at a prompt. */
export async function confirm(question: string, isAgreed: boolean): Promise<boolean> {
  if (isAgreed) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write(`${question}\nThere is no terminal to ask: use --yes to agree.\n`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} (y/N) `)).trim());
  } finally {
    terminal.close();
  }
}

/** A YYYY-MM-DD day. */
export function dayOption(text: string): string {
  if (parseDay(text) === null) throw new InvalidArgumentError('expected a day, YYYY-MM-DD');
  return text;
}

/** How many rows to show. */
export function countOption(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number from 1 to 9999');
}

export function emailOption(text: string): string {
  const parsed = z.email().max(254).safeParse(text.trim().toLowerCase());
  if (!parsed.success) throw new InvalidArgumentError('expected an e-mail address');
  return parsed.data;
}

/** Names have no @, so that none can be the e-mail address of another account. */
export function loginOption(text: string): string {
  const name = text.trim().toLowerCase();
  if (!/^[a-z0-9._-]{2,64}$/.test(name)) {
    throw new InvalidArgumentError('expected 2 to 64 letters, digits, dots, dashes or underscores');
  }
  return name;
}

/** Served symbols separated by commas, with or without their market. */
export function symbolsOption(text: string): string[] {
  return text.split(',').map((symbol) => withoutMarket(symbol.trim()));
}

/** The path of a file. */
export function fileArgument(path: string): string {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new InvalidArgumentError('It cannot be read.');
  }
  return resolve(path);
}

/** The id of a record. */
export function idArgument(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected the number of a record');
}
