/** Compares factor studies on real bars with figures that another implementation of the same rules computed. */
import { beforeAll, expect, it } from '@jest/globals';
import { choiceOf, shortestOf } from '../../../engine/factors/choice.ts';
import { factorFigures } from '../../../engine/factors/figures.ts';
import { type Every, type Horizon, studySessions } from '../../../engine/factors/sessions.ts';
import { correlationsOf, studyFactors } from '../../../engine/factors/study.ts';
import { type AdjustMode, adjustToLastBar } from '../../../engine/market/adjust.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { sliceByDay } from '../../../engine/market/series.ts';
import type { PortfolioMember } from '../../../engine/portfolio/backtest.ts';
import { clockOf } from '../../../engine/portfolio/clock.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { compileValue } from '../../../engine/rules/compile.ts';
import type { Market } from '../../../engine/rules/market-values.ts';
import { choiceView, correlationView, factorView } from '../../../jobs/factors/result.ts';
import { type Figures, readKnownAnswers } from '../../support/known-answers.ts';
import { LH_LISTED } from '../../support/real-formations.ts';
import { readFacts, readMembers } from '../../support/real-market.ts';

interface Body {
  readonly universe: { readonly symbols?: readonly string[]; readonly asset_type?: string };
  readonly factors: readonly { readonly name: string; readonly value: string }[];
  readonly horizons: readonly Horizon[];
  readonly quantiles: number;
  readonly every: Every;
  readonly delay?: 0 | 1;
  readonly neutral?: 'market' | 'asset_type' | 'venue';
  readonly start: string;
  readonly end: string;
  readonly adjust: AdjustMode;
}

interface Case {
  readonly name: string;
  readonly body: Body;
  readonly expected: {
    readonly first: string;
    readonly last: string;
    readonly factors: readonly { portfolio?: object }[];
  };
  readonly selection_parts: { readonly seed?: string };
}

const { cases: answers, describe } = readKnownAnswers<Case>('factors.json.gz');

/** Series of answers show some of their rows. */
function seriesAsAnswered(actual: readonly { readonly ts: string }[], rows: readonly Figures[]) {
  const byDay = new Map(actual.map((row) => [row.ts, row]));
  return { count: actual.length, rows: rows.map(({ ts }) => byDay.get(String(ts)) ?? { ts }) };
}

/** Expects every figure of the answer in ours, to 1e-9. */
// biome-ignore lint/suspicious/noExplicitAny: parts of an answer, each of its own form
function expectAnswer(actual: any, expected: any, at: string): void {
  if (typeof expected === 'number') {
    const isSame =
      typeof actual === 'number' && Math.abs(actual - expected) <= 1e-9 * Math.max(1e-3, Math.abs(expected));
    if (!isSame) expect({ at, value: actual }).toEqual({ at, value: expected });
  } else if (Array.isArray(expected)) {
    expect({ at, length: actual?.length }).toEqual({ at, length: expected.length });
    for (const [i, one] of expected.entries()) expectAnswer(actual[i], one, `${at}[${i}]`);
  } else if (typeof expected === 'object' && expected !== null) {
    const isSeries = 'rows' in expected && 'count' in expected;
    const found = isSeries ? seriesAsAnswered(actual, expected.rows) : actual;
    for (const [name, value] of Object.entries(expected)) expectAnswer(found?.[name], value, `${at}.${name}`);
  } else expect({ at, value: actual }).toEqual({ at, value: expected });
}

describe('factor studies on real bars', () => {
  let members: Map<string, PortfolioMember>;
  const facts = readFacts();
  const stocks = [...facts.values()].filter(({ asset_type }) => asset_type === 'stock').map(({ symbol }) => symbol);

  beforeAll(() => {
    const listed = answers.flatMap(({ body }) => body.universe.symbols ?? stocks);
    members = readMembers(new Set(listed));
  });

  it.each(answers.map((one) => [one.name, one] as const))('%s', async (_, { body, expected, selection_parts }) => {
    const [start, end] = [requireDay(body.start), requireDay(body.end)];
    const visited = (body.universe.symbols ?? stocks).toSorted().flatMap((ticker) => {
      const { series, events, lifetime } = members.get(ticker) ?? { series: null, events: [], lifetime: null };
      if (series === null || series.length === 0) return [];
      const cut = sliceByDay(series, ticker === 'LH' ? LH_LISTED : series.day[0], end);
      if (cut.length === 0 || cut.day[cut.length - 1] < start) return [];
      const isDelisted = lifetime?.delistedOn != null && lifetime.delistedOn <= end;
      return [{ ticker, series: adjustToLastBar(cut, events, body.adjust), isDelisted }];
    });
    const market: Market = {
      members: visited.map(({ ticker }) => ({ asset_type: 'stock', venue: facts.get(ticker)?.primary_venue ?? '' })),
      visit: () => visited.map(({ series, isDelisted }, member) => ({ member, series, isDelisted })),
    };
    const days = clockOf(visited.map(({ series }) => ({ series, from: 0, to: series.length })));
    const first = days.findIndex((day) => day >= start);
    const sessions = studySessions(days.subarray(first), body.every, body.delay ?? 0);
    const { horizons } = body;
    const programs = body.factors.map(({ value }) => {
      const checked = checkRule(value, { result: 'value', mayUsePosition: false, market: 'peers', parameters: null });
      if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
      return compileValue(checked.expression);
    });
    const neutral = body.neutral === undefined || body.neutral === 'market' ? null : body.neutral;
    const studied = await studyFactors(
      market,
      { sessions: days, first },
      sessions,
      { where: [], factors: programs, neutral },
      body,
    );
    const names = body.factors.map(({ name }) => name);
    const shortest = shortestOf(sessions, horizons);
    const spreads = studied.tallies.map((tally) => tally.horizons[shortest].spreads);
    const seed = selection_parts.seed ?? '0123456789abcdef';
    const choice = choiceOf(sessions, horizons[shortest], spreads, studied.market, { trials: names.length, seed });
    const { clock } = sessions;
    const last = clock[clock.length - 1];
    const actual = {
      sessions: sessions.looked.length,
      clock: clock.length,
      instruments: visited.length,
      ended: visited.filter(({ series, isDelisted }) => isDelisted && series.day[series.length - 1] < last).length,
      factors: body.factors.map((one, i) =>
        factorView(
          one,
          factorFigures(studied.tallies[i], sessions, horizons),
          sessions,
          (member) => visited[member].ticker,
        ),
      ),
      correlations: correlationsOf(studied.monthRanks).map((one) => correlationView(one, names)),
      selection: choiceView(choice, names),
    };
    const { first: _first, last: _last, factors, ...rest } = expected;
    const known = factors.map(({ portfolio: _portfolio, ...factor }) => factor);
    expectAnswer(actual, { ...rest, factors: known }, body.factors[0].name);
  });
});
