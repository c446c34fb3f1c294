/** Compares long-short portfolios of real stocks with figures that another implementation of the same rules computed. */
import { expect, it } from '@jest/globals';
import type { LongShortRule } from '../../../engine/factors/cohort.ts';
import { type LongShort, longShort } from '../../../engine/factors/long-short.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { expectSame, readKnownAnswers } from '../../support/known-answers.ts';
import { marketValueOf, rangeOf, readFormations, valuesAt } from '../../support/real-formations.ts';

interface Case {
  readonly name: string;
  readonly body: {
    readonly universe: { readonly symbols?: readonly string[] };
    readonly start: string;
    readonly end: string;
    readonly portfolio: LongShortRule & { readonly cap?: string };
  };
  readonly columns?: { readonly cap?: { readonly rows: readonly (readonly [string, string, number])[] } };
  readonly expected: { readonly factors: readonly { readonly value: string; readonly portfolio: LongShort }[] };
}

/** The answers have 12 digits. */
const DIGITS = 1e-11;

const { cases: all, describe } = readKnownAnswers<Case>('factors.json.gz');
const cases = all.filter(({ name }) => name.startsWith('long-short: '));

/** All figures but the series, which may be null. */
function expectFigures(
  { series: found, interval: range, ...figures }: LongShort,
  expected: LongShort,
  of: string,
): void {
  const { series, interval, ...others } = expected;
  expectSame(figures, others, of, DIGITS);
  expectSame(
    { low: range?.[0], high: range?.[1] },
    { low: interval?.[0] ?? null, high: interval?.[1] ?? null },
    `${of}, interval`,
    DIGITS,
  );
  expect(found).toHaveLength(series.length);
  for (const [i, { names, ...month }] of series.entries()) {
    expectSame({ ...found[i] }, month, `${of}, ${month.month}`, DIGITS);
    expect({ month: month.month, names: found[i].names }).toEqual({ month: month.month, names });
  }
}

describe('long-short portfolios of real stocks', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, { body, columns, expected }) => {
    const rows = columns?.cap?.rows ?? [];
    const shares = new Map(rows.map(([ticker, , value]) => [ticker, value]));
    const size = rows.length === 0 ? null : marketValueOf(shares, requireDay(rows[0][1]));
    const formations = readFormations(body.universe.symbols ?? null, rangeOf(body), size);
    for (const { value, portfolio } of expected.factors) {
      const [, inner] = /^monthly\((.*)\)$/.exec(value) ?? [];
      const [values] = await valuesAt(formations, [inner ?? value], inner === undefined ? 'days' : 'months');
      expectFigures(longShort(formations.panel, values, body.portfolio), portfolio, value);
    }
  });
});
