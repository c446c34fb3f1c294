/** Compares what runs earned beyond the market that they held with known answers, plain loops, and cases by hand. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { UniformDraws } from '../../../engine/statistics/draws.ts';
import { momentsOf } from '../../../engine/statistics/moments.ts';
import { accountSelectionOf, skillDeflationOf, spreadOf, tallyOf } from '../../../engine/statistics/selection.ts';
import { type Skill, statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { appraisalMoments } from '../../../engine/statistics/skill.ts';
import { required } from '../../../engine/util/values.ts';
import { drawResample } from '../../support/resample.ts';
import { lehmer } from '../../support/series.ts';

const SEED = '0123456789abcdef';

function closeTo(actual: number | null | undefined, expected: number | null, of = '', tolerance = 1e-9): void {
  const isClose =
    actual === expected ||
    (typeof actual === 'number' &&
      expected !== null &&
      Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)));
  if (!isClose) expect({ of, actual }).toEqual({ of, actual: expected });
}

function randomReturns(count: number, seed: number, drift = 0): Float64Array {
  const random = lehmer(seed);
  return Float64Array.from({ length: count }, () => drift + 0.03 * (random() - 0.5));
}

const skill = (returns: Float64Array, market: Float64Array) =>
  required(statisticsOfRun(returns, market, 1.45 * returns.length, SEED).skill);

const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

function leastSquares(x: ArrayLike<number>, y: ArrayLike<number>) {
  const [mx, my] = [mean(x), mean(y)];
  const products = (a: ArrayLike<number>, ma: number) =>
    Array.from(a).reduce((sum, value, t) => sum + (value - ma) * (y[t] - my), 0);
  const yy = products(y, my);
  const beta = yy === 0 ? 0 : products(x, mx) / yy;
  const e = Array.from(x, (value, t) => value - beta * y[t]);
  const deviation = Math.sqrt(e.reduce((sum, value) => sum + (value - mean(e)) ** 2, 0) / (e.length - 1));
  return { beta, e, deviation };
}

describe('what a run earned beyond the market', () => {
  const market = randomReturns(250, 1, 0.001);
  const noise = randomReturns(250, 2, 0.002);

  const kinds: Record<string, Float64Array> = {
    usual: market.map((y, t) => 0.6 * y + 0.5 * noise[t]),
    'with a return that exceeds all others together': market.map((y, t) => (t === 100 ? 50 : 0.6 * y + 0.5 * noise[t])),
    'almost those of holding': market.map((y, t) => y + 1e-6 * noise[t]),
    'of few trades': market.map((y, t) => (t % 50 === 0 ? y + noise[t] : 0)),
  };

  it.each(Object.keys(kinds))('equals plain loops over the definitions for returns %s', (kind) => {
    const returns = kinds[kind];
    const found = skill(returns, market);
    const { beta, e } = leastSquares(returns, market);
    closeTo(found.beta, beta);
    closeTo(found.alphaPct, 25_200 * mean(e));
    const draws = UniformDraws.fromSeed(SEED);
    const indices = new Int32Array(250);
    const { blockLength } = statisticsOfRun(returns, market, 360, SEED);
    const [appraisals, alphas]: number[][] = [[], []];
    for (let b = 0; b < 1000; b++) {
      drawResample(draws, required(blockLength), indices);
      const of = leastSquares(
        Array.from(indices, (i) => returns[i]),
        Array.from(indices, (i) => market[i]),
      );
      appraisals.push(of.deviation <= 1e-12 ? 0 : (mean(of.e) / of.deviation) * Math.sqrt(252));
      alphas.push(25_200 * mean(of.e));
    }
    const at = (values: number[], q: number) => {
      values.sort((a, b) => a - b);
      const h = 999 * q;
      return values[Math.floor(h)] + (h % 1) * (values[Math.floor(h) + 1] - values[Math.floor(h)]);
    };
    for (const [i, q] of [0.05, 0.95].entries()) {
      closeTo(found.appraisalInterval?.[i], at(appraisals, q));
      closeTo(found.alphaInterval?.[i], at(alphas, q));
    }
    const known = Array.from({ length: 190 }, (_, i) => {
      const t = i + 60;
      return returns[t] - leastSquares(returns.subarray(0, t), market.subarray(0, t)).beta * market[t];
    });
    const { sharpe } = required(momentsOf(Float64Array.from(known)));
    closeTo(found.exAnte?.t, Math.sqrt(190) * sharpe);
    expect(found.exAnte?.bars).toBe(190);
  });

  it('is nothing for holding, for cash, and for a run that never traded', () => {
    const nothing = { alphaPct: 0, alphaT: null, appraisal: null, psr: null, exAnte: null, appraisalInterval: null };
    expect(skill(market, market)).toMatchObject({ ...nothing, beta: 1, shown: false });
    const idle = new Float64Array(250);
    expect(skill(idle, market)).toMatchObject({ ...nothing, beta: 0, shown: false });
    expect(skill(idle, idle)).toMatchObject({ ...nothing, beta: 0, shown: false });
    const rounded = market.map((y, t) => y + (t % 2 ? 1e-15 : 0));
    expect(skill(rounded, market)).toMatchObject({ ...nothing, shown: false });
  });

  it('is not shown by holding that differs on one bar, and its resamples without that bar count as 0', () => {
    const late = market.map((y, t) => (t === 1 ? 0 : y));
    const found = skill(late, market);
    expect(found.shown).toBe(false);
    expect(found.appraisalInterval?.every((bound) => Math.abs(bound) < 20)).toBe(true);
  });

  it('is shown where it is large, and never of a short range, beside a market that stood still, or of a loss', () => {
    const skilled = (y: Float64Array) => y.map((value, t) => value + 0.002 + 0.001 * (t % 2));
    expect(skill(skilled(market), market).shown).toBe(true);
    const short = market.subarray(0, 119);
    expect(skill(skilled(short), short)).toMatchObject({ exAnte: null, shown: false });
    expect(statisticsOfRun(skilled(market).subarray(0, 59), market.subarray(0, 59), 90, SEED).skill).toBeNull();
    const still = new Float64Array(250);
    expect(skill(skilled(still), still)).toMatchObject({ beta: 0, alphaT: null, shown: false });
    const worse = market.map((y, t) => y - 0.002 - 0.001 * (t % 2));
    expect(skill(worse, market)).toMatchObject({ shown: false, minTrackRecordBars: null });
  });
});

interface Known {
  readonly name?: string;
  readonly order?: { readonly strategy: string; readonly symbol: string };
  readonly returns: readonly number[];
  readonly benchmark: readonly number[];
  readonly market_series: readonly number[];
  readonly columns: readonly (readonly number[])[];
  readonly best: number;
  readonly days: number;
  readonly seed: string;
  readonly expected: {
    readonly skill: Expected | null;
    readonly trials: number;
    readonly selection_skill: { readonly hurdle: number; readonly dsr: number };
  };
}

interface AccountCase {
  readonly path: string;
  readonly body: object;
  readonly bars: number;
  readonly appraisal_per_bar: readonly (number | null)[];
  readonly expected: { readonly runs: number; readonly emax: number; readonly hurdle: number | null };
}

interface Answers {
  readonly runs: readonly Known[];
  readonly searches: readonly Known[];
  readonly cases: readonly Known[];
  readonly account: readonly AccountCase[];
}

interface Expected {
  readonly beta: number;
  readonly alpha_pct: number;
  readonly alpha_t: number | null;
  readonly appraisal: number | null;
  readonly psr: number | null;
  readonly min_track_record_bars: number | null;
  readonly appraisal_interval: readonly number[] | null;
  readonly alpha_interval_pct: readonly number[] | null;
  readonly ex_ante: { readonly psr: number; readonly t: number; readonly bars: number } | null;
  readonly shown: boolean | null;
}

function answersOf(name: string): Answers | null {
  const path = fileURLToPath(new URL(`../../../../shared/data/known-answers/${name}.json`, import.meta.url));
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  process.stderr.write(`SKIPPED: the known answers of skill are not at ${path}\n`);
  return null;
}

function expectSkill(found: Skill | null, expected: Expected | null): void {
  if (expected === null || found === null) {
    expect(found).toBe(expected);
    return;
  }
  closeTo(found.beta, expected.beta, 'beta');
  closeTo(found.alphaPct, expected.alpha_pct, 'alpha');
  closeTo(found.alphaT, expected.alpha_t, 't');
  closeTo(found.appraisal, expected.appraisal, 'appraisal');
  closeTo(found.psr, expected.psr, 'psr');
  closeTo(found.minTrackRecordBars, expected.min_track_record_bars, 'min track record');
  for (const i of [0, 1]) {
    closeTo(found.appraisalInterval?.[i] ?? null, expected.appraisal_interval?.[i] ?? null, `appraisal ${i}`);
    closeTo(found.alphaInterval?.[i] ?? null, expected.alpha_interval_pct?.[i] ?? null, `alpha ${i}`);
  }
  closeTo(found.exAnte?.psr ?? null, expected.ex_ante?.psr ?? null, 'psr ex ante');
  closeTo(found.exAnte?.t ?? null, expected.ex_ante?.t ?? null, 't ex ante');
  closeTo(found.exAnte?.bars ?? null, expected.ex_ante?.bars ?? null, 'bars ex ante');
  // The figures of the best of a search do not say what is shown of it.
  if (expected.shown !== null) expect(found.shown).toBe(expected.shown);
}

const statistics = answersOf('statistics');
(statistics === null ? describe.skip : describe)('known answers of instruments', () => {
  it.each(statistics?.runs ?? [])(
    'hold for $order.strategy on $order.symbol',
    ({ returns, benchmark, days, seed, expected }) => {
      const found = statisticsOfRun(Float64Array.from(returns), Float64Array.from(benchmark), days, seed);
      expectSkill(found.skill, expected.skill);
    },
  );

  it.each(statistics?.searches ?? [])('hold for a search of $order.strategy on $order.symbol', (search) => {
    const { benchmark, days, seed, best, expected } = search;
    const market = Float64Array.from(benchmark);
    const columns = search.columns.map((column) => Float64Array.from(column));
    expectSkill(statisticsOfRun(columns[best], market, days, seed).skill, expected.skill);
    const of = (column: Float64Array) => appraisalMoments(column, market);
    const spread = spreadOf(Float64Array.from(columns, (column) => of(column)?.sharpe ?? 0));
    const { hurdle, dsr } = skillDeflationOf(expected.trials, spread, of(columns[best]));
    closeTo(hurdle, expected.selection_skill.hurdle, 'hurdle');
    closeTo(dsr, expected.selection_skill.dsr, 'dsr');
  });
});

const judgement = answersOf('judgement');
(judgement === null ? describe.skip : describe)('known answers of portfolios and accounts', () => {
  it.each(judgement?.cases ?? [])('hold for $name', ({ returns, market_series, seed, expected }) => {
    const found = statisticsOfRun(Float64Array.from(returns), Float64Array.from(market_series), 1_000, seed);
    expectSkill(found.skill, expected.skill);
  });

  it('hold for the hurdle over everything that an account has computed', () => {
    const known = new Map<string, ReturnType<typeof tallyOf>>();
    for (const { path, body, bars, appraisal_per_bar, expected } of judgement?.account ?? []) {
      const own = tallyOf(
        appraisal_per_bar.map((value) => value ?? Number.NaN),
        bars,
      );
      known.set(JSON.stringify([path, body]), own);
      const sum = (name: keyof typeof own) => [...known.values()].reduce((total, one) => total + one[name], 0);
      const all = { runs: sum('runs'), measured: sum('measured'), sum: sum('sum'), squares: sum('squares') };
      const found = accountSelectionOf(all, bars, null);
      expect(found.runs).toBe(expected.runs);
      closeTo(found.emax, expected.emax, 'emax');
      closeTo(found.hurdle, expected.hurdle, 'hurdle');
    }
  });
});
