/** Parsers of command line options. */
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { parseDay } from '../../engine/market/dates.ts';
import { withoutMarket } from '../../engine/market/symbols.ts';

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

/** The id of a record. */
export function idArgument(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected the number of a record');
}
