/** Makes factors of dividends that are given as amounts, by the closes before their ex-days. */
import { type Day, FAR_FUTURE } from '../../../engine/market/dates.ts';
import { NO_DAY, type ProvidedAdjustment } from '../provider.ts';
import { type Split, splitFactorOn } from './as-traded.ts';
import { listedSplits, readCloses, readSplits } from './open-bars.ts';
import type { SurveyedFile } from './survey.ts';

/** The events with factors, and a reason for each that gets none. Reads the files of bars. */
export async function factorsOfAmounts(
  amounts: readonly ProvidedAdjustment[],
  files: readonly SurveyedFile[],
  today: Day,
): Promise<{ readonly event: ProvidedAdjustment; readonly fault: string | null }[]> {
  if (amounts.length === 0) return [];
  const closes = await closesBefore(amounts, files, today);
  const splits = amounts.some(({ isAmountAdjusted }) => isAmountAdjusted)
    ? await readSplits(files)
    : new Map<string, Split[]>();
  return amounts.map((event) => {
    const { ticker, exDay, amount = Number.NaN, isAmountAdjusted } = event;
    const paid = isAmountAdjusted ? amount / splitFactorOn(splits.get(ticker) ?? [], exDay, FAR_FUTURE) : amount;
    const close = closes.get(event)?.close;
    if (close === undefined) return { event, fault: 'no_close_before' };
    return paid < close
      ? { event: { ...event, factor: 1 - paid / close }, fault: null }
      : { event, fault: 'amount_above_price' };
  });
}

interface LastClose {
  readonly day: Day;
  readonly close: number;
}

async function closesBefore(
  amounts: readonly ProvidedAdjustment[],
  files: readonly SurveyedFile[],
  today: Day,
): Promise<ReadonlyMap<ProvidedAdjustment, LastClose>> {
  const wanted = Map.groupBy(amounts, ({ ticker }) => ticker);
  const found = new Map<ProvidedAdjustment, LastClose>();
  const splits = await listedSplits(files);
  for (const file of files.filter(({ facts }) => facts.kind === 'bars')) {
    for await (const { ticker, day, close } of readCloses(file, splits, today)) {
      for (const event of wanted.get(ticker) ?? []) {
        if (day < event.exDay && day > (found.get(event)?.day ?? NO_DAY)) found.set(event, { day, close });
      }
    }
  }
  return found;
}
