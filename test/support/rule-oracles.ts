/** Values of rules that numpy, pandas, scipy, and statsmodels compute too: `test/engine/rules/oracles/words.py`. */
import { expect } from '@jest/globals';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { type BarSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { checkRule } from '../../engine/rules/check.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { compileValue } from '../../engine/rules/compile.ts';
import { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { randomSeries } from './series.ts';

const SESSIONS = sessionsBetween(requireDay('2022-01-03'), requireDay('2023-02-08'));

/** A walk on the sessions of a year, and another one, with which it moves. */
function walks(): readonly [own: BarSeries, other: BarSeries] {
  const [own, other] = [11, 12].map((seed) => ({
    ...randomSeries(SESSIONS.length, seed),
    day: Int32Array.from(SESSIONS),
  }));
  const tied = VALUE_COLUMNS.slice(0, 4).map((name) => [
    name,
    own[name].map((price, t) => price * other.close[t] ** 0.5),
  ]);
  return [{ ...own, ...Object.fromEntries(tied) }, other];
}

/** The input of `words.py`. */
export function wordsRequest(): object {
  const [own, other] = walks();
  return {
    day: SESSIONS.map(formatDay),
    own: fromKeys(VALUE_COLUMNS, (name) => [...own[name]]),
    other: [...other.close],
  };
}

/** By expression, a figure for each day. */
export type WordsAnswer = Readonly<Record<string, readonly (number | null)[]>>;

/** Every so many days are recorded. */
export const RECORDED_EVERY = 13;

/** `every`: 1 for figures of all days. */
export function expectWords(answers: WordsAnswer, every = 1): void {
  const [own, other] = walks();
  const others = new OtherInstruments(new Map([['SPY', { series: other, events: [] }]]), 'none');
  const columns = new HistoryColumns(new IndicatorSet(own), { others });
  for (const [text, theirs] of Object.entries(answers)) {
    const checked = checkRule(text, { result: 'value', mayUsePosition: false, parameters: null });
    if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
    const ours = columns.value(compileValue(checked.expression));
    const isSame = (value: number | null, i: number) => {
      const figure = ours[i * every];
      return value === null ? Number.isNaN(figure) : Math.abs(figure - value) <= 1e-9 * Math.abs(value);
    };
    expect({
      text,
      differ: theirs.flatMap((value, i) => (isSame(value, i) ? [] : [[i, value, ours[i * every]]])),
    }).toEqual({
      text,
      differ: [],
    });
    expect(theirs.filter((value) => value !== null).length).toBeGreaterThan(theirs.length / 2);
  }
}
