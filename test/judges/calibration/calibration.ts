/** How often each kind of sentence claims more than chance, of strategies without skill, and of planted skill. */
import { UniformDraws } from '../../../engine/statistics/draws.ts';
import { momentsOf, probabilisticSharpe } from '../../../engine/statistics/moments.ts';
import { realityCheckOf } from '../../../engine/statistics/reality-check.ts';
import { type Interval, statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { regress, skillOf } from '../../../engine/statistics/skill.ts';
import { standardNormal } from '../../support/numpy-random.ts';
import { sampleSeries } from '../truth/sample-series.ts';
import { Population, TRUTHS, type Truth } from './paths.ts';
import { type Measured, measured, ROTATIONS, RULES, rotationOf, SEARCHES, searchOf } from './strategies.ts';

/** Names of a population. */
export const NAMES = 30;
const SIGNIFICANT = 0.05;
/** Bars of 1, 2, and 10 years. */
const RANGES = { 1: 252, 2: 504, 10: 2_520 } as const;
type Years = keyof typeof RANGES;
export const YEARS = [1, 2, 10] as const;
/** Every so manyth path has intervals, which take a hundred times as long. */
const INTERVALS_EVERY = 20;

/** Shares of the paths, by years. */
type Shares = Readonly<Record<string, number>>;

interface CalibrationOfTruth {
  /** `skill_shown`, by rule, and rotation. */
  readonly skill: Readonly<Record<string, Shares>>;
  /** `search_shown`, by search. */
  readonly search: Readonly<Record<string, Shares>>;
  /** StepM finds at least one, by search. */
  readonly step_m: Readonly<Record<string, Shares>>;
  /** The naive reading: the best of a search has a probabilistic Sharpe ratio of 0.95 or more. */
  readonly naive: Readonly<Record<string, Shares>>;
  /** Shares of the 90 % intervals of alpha that hold 0, of rules chosen beforehand. */
  readonly coverage: Shares;
  /** All claims ÷ all that could be made: rules, rotations, and searches. */
  readonly together: Shares;
}

class Tally {
  private readonly counts = new Map<string, { claimed: number; of: number }>();

  add(name: string, isClaimed: boolean): void {
    const count = this.counts.get(name) ?? { claimed: 0, of: 0 };
    count.claimed += Number(isClaimed);
    count.of++;
    this.counts.set(name, count);
  }

  share(name: string): number {
    const { claimed, of } = this.counts.get(name) ?? { claimed: 0, of: 1 };
    return claimed / of;
  }
}

const isShown = ({ returns, market }: Measured) => skillOf(returns, market, regress(returns, market))?.shown ?? false;

const holdsNothing = (interval: Interval | null | undefined) =>
  interval != null && interval[0] <= 0 && interval[1] >= 0;

function countPath(tally: Tally, all: Population, truth: Truth, bars: number, path: number): void {
  const seed = path.toString(16).padStart(16, '0');
  const draws = UniformDraws.fromSeed(seed);
  const [series] = all.draw(truth, bars, draws, [path % NAMES]);
  const claim = (kind: string, name: string, isClaimed: boolean) => {
    tally.add(`${kind} ${name}`, isClaimed);
    tally.add('together', isClaimed);
  };
  for (const [name, rule] of Object.entries(RULES)) {
    const one = measured(rule, series, draws);
    claim('skill', name, isShown(one));
    if (path % INTERVALS_EVERY !== 0) continue;
    const { skill } = statisticsOfRun(one.returns, one.market, bars, seed);
    if (skill?.alphaInterval) tally.add('coverage', holdsNothing(skill.alphaInterval));
  }
  for (const name of Object.keys(SEARCHES)) {
    const { columns, market } = searchOf(name, series);
    const moments = columns.map((column) => momentsOf(column));
    const best = moments.reduce((b, one, i) => ((one?.sharpe ?? -9) > (moments[b]?.sharpe ?? -9) ? i : b), 0);
    const check = realityCheckOf(columns, columns[best], market, seed);
    claim('search', name, (check?.consistent ?? 1) <= SIGNIFICANT);
    tally.add(`step_m ${name}`, (check?.superior.length ?? 0) > 0);
    const naive = moments[best] && probabilisticSharpe(moments[best], 0);
    tally.add(`naive ${name}`, (naive ?? 0) >= 1 - SIGNIFICANT);
  }
  const names = all.draw(truth, bars, draws, [...Array(NAMES).keys()]);
  for (const kind of ROTATIONS) claim('skill', `rotation: ${kind}`, isShown(rotationOf(kind, names, draws)));
}

/** The series of the sample market without a hole: some of them lack days. */
export function samplePopulation(): Population {
  const series = sampleSeries(2 * NAMES, 2014, 2023).map((one) => one.series);
  const whole = Math.max(...series.map(({ length }) => length));
  return new Population(series.filter(({ length }) => length === whole).slice(0, NAMES));
}

export function calibrate(
  paths: number,
  years: readonly Years[] = YEARS,
  all = samplePopulation(),
): Record<Truth, CalibrationOfTruth> {
  const skilled = [...Object.keys(RULES), ...ROTATIONS.map((kind) => `rotation: ${kind}`)];
  const ofTruth = (truth: Truth): CalibrationOfTruth => {
    const tallies = new Map(
      years.map((year) => {
        const tally = new Tally();
        for (let path = 0; path < paths; path++) countPath(tally, all, truth, RANGES[year], path);
        return [year, tally] as const;
      }),
    );
    const shares = (name: string) => Object.fromEntries([...tallies].map(([year, tally]) => [year, tally.share(name)]));
    const table = (kind: string, names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, shares(`${kind} ${name}`)]));
    return {
      skill: table('skill', skilled),
      search: table('search', Object.keys(SEARCHES)),
      step_m: table('step_m', Object.keys(SEARCHES)),
      naive: table('naive', Object.keys(SEARCHES)),
      coverage: shares('coverage'),
      together: shares('together'),
    };
  };
  const [none, drift] = TRUTHS.map(ofTruth);
  return { none, drift };
}

const APPRAISALS = [0.5, 1, 2] as const;
const POWER_YEARS = [2, 5, 10] as const;
type Power = Readonly<Record<string, Shares>>;

/** Share of the paths on which planted skill is shown: half of the market, and returns of their own with that ratio a year. */
export function powerOf(paths: number): Power {
  const all = samplePopulation();
  const deviation = 0.008;
  const share = (appraisal: number, bars: number) => {
    let shown = 0;
    for (let path = 0; path < paths; path++) {
      const draws = UniformDraws.fromSeed(path.toString(16).padStart(16, '0'));
      const next = standardNormal(path);
      const [{ close }] = all.draw('drift', bars, draws, [path % NAMES]);
      const market = Float64Array.from(
        { length: bars },
        (_, t) => close[close.length - bars + t] / close[close.length - bars + t - 1] - 1,
      );
      const alpha = (appraisal * deviation) / Math.sqrt(252);
      const returns = market.map((r) => 0.5 * r + alpha + deviation * next());
      if (isShown({ returns, market })) shown++;
    }
    return shown / paths;
  };
  const row = (appraisal: number) =>
    Object.fromEntries(POWER_YEARS.map((year) => [year, share(appraisal, 252 * year)]));
  return Object.fromEntries(APPRAISALS.map((appraisal) => [appraisal, row(appraisal)]));
}

/** Paths of the calibration that is published. */
export const CALIBRATION_PATHS = 2_000;

let latest: {
  readonly paths: number;
  readonly truths: Record<Truth, CalibrationOfTruth>;
  readonly power: Power;
} | null = null;

/** The whole calibration; the latest is kept, because it takes hours. */
export function calibrationOf(paths: number) {
  if (latest?.paths !== paths) latest = { paths, truths: calibrate(paths), power: powerOf(paths) };
  return latest;
}
