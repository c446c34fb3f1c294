/** Splits and dividends. */
import { z } from 'zod';
import { type Day, formatDay, parseDay } from '../../../engine/market/dates.ts';
import type { AccountBook } from '../file-account.ts';
import type { ProvidedAdjustment, UnreadableRow } from '../provider.ts';
import type { MassiveClient } from './client.ts';
import { kindOfSplit, tickerOf } from './reference.ts';

export const SPLITS_PATH = '/stocks/v1/splits';
export const DIVIDENDS_PATH = '/stocks/v1/dividends';
const PAGE_ROWS = '5000';

const splitRow = z.object({
  ticker: z.string(),
  execution_date: z.string(),
  adjustment_type: z.string(),
  split_from: z.number().positive(),
  split_to: z.number().positive(),
});

type Reject = (row: UnreadableRow) => void;

/** The factor of a split is `split_from` ÷ `split_to`; the vendor's own factor is cumulative. */
export async function* splits(
  client: MassiveClient,
  reject: Reject,
  book: AccountBook,
): AsyncGenerator<ProvidedAdjustment> {
  const query = { limit: PAGE_ROWS, sort: 'execution_date.asc' };
  for await (const { row, source } of client.list(SPLITS_PATH, query, book)) {
    const refuse = (reason: string) => reject({ source, content: JSON.stringify(row), reason });
    const { data } = splitRow.safeParse(row);
    const exDay = parseDay(data?.execution_date ?? '');
    if (!data || exDay === null) {
      refuse('unreadable');
      continue;
    }
    const [ticker, kind] = [tickerOf(data.ticker), kindOfSplit(data.adjustment_type)];
    if (ticker === null) refuse('bad_symbol');
    else if (kind === null) refuse('bad_kind');
    else yield { ticker, exDay, kind, factor: data.split_from / data.split_to, source };
  }
}

const dividendRow = z.object({
  ticker: z.string(),
  ex_dividend_date: z.string(),
  cash_amount: z.number().positive(),
  historical_adjustment_factor: z.number().positive().nullish(),
});

interface Dividend {
  readonly exDay: Day;
  /** Dollars per share, on the share count of the ex-day. */
  readonly cash: number;
  /** The product of the factors of this dividend and of all later ones of its ticker. */
  readonly cumulativeFactor: number;
  readonly source: string;
}

/**
 * The vendor's factors are cumulative over all later dividends of the ticker. The factor of one ex-day is the quotient of two
 * consecutive ones; several dividends of one ex-day share it in proportion to their cash.
 */
export async function* dividends(
  client: MassiveClient,
  reject: Reject,
  book: AccountBook,
): AsyncGenerator<ProvidedAdjustment> {
  const byTicker = new Map<string, Dividend[]>();
  const query = { limit: PAGE_ROWS, sort: 'ex_dividend_date.asc' };
  for await (const { row, source } of client.list(DIVIDENDS_PATH, query, book)) {
    const refuse = (reason: string) => reject({ source, content: JSON.stringify(row), reason });
    const { data } = dividendRow.safeParse(row);
    const exDay = parseDay(data?.ex_dividend_date ?? '');
    if (!data || exDay === null) {
      refuse('unreadable');
      continue;
    }
    const { cash_amount: cash, historical_adjustment_factor: cumulativeFactor } = data;
    const ticker = tickerOf(data.ticker);
    if (ticker === null) refuse('bad_symbol');
    else if (cumulativeFactor == null) refuse('no_factor');
    else {
      const list = byTicker.get(ticker) ?? [];
      byTicker.set(ticker, list);
      list.push({ exDay, cash, cumulativeFactor, source });
    }
  }
  for (const [ticker, list] of byTicker) yield* factorsOf(ticker, list, reject);
}

/** A quotient of factors with six decimals may exceed 1 by this much. */
const ROUNDING = 1e-5;

/** From the newest ex-day to the oldest. */
function* factorsOf(ticker: string, list: readonly Dividend[], reject: Reject): Generator<ProvidedAdjustment> {
  const days = [...Map.groupBy(list, ({ exDay }) => exDay)].sort(([a], [b]) => b - a);
  let later = 1;
  for (const [exDay, paid] of days) {
    const cumulative = Math.min(...paid.map(({ cumulativeFactor }) => cumulativeFactor));
    const cash = paid.reduce((sum, dividend) => sum + dividend.cash, 0);
    const factor = cumulative / later;
    if (factor > 1 + ROUNDING) {
      for (const { source } of paid) reject({ source, content: `${ticker},${formatDay(exDay)}`, reason: 'bad_factor' });
      continue;
    }
    for (const dividend of paid) {
      const own = paid.length === 1 ? factor : factor ** (dividend.cash / cash);
      yield { ticker, exDay, kind: 'cash_dividend', factor: own, source: dividend.source };
    }
    later = cumulative;
  }
}
