/** How often a difference is called at 5 % where a condition knows nothing of the returns that follow it. */
import type { FoundHits } from '../../../engine/outcomes/hits.ts';
import { horizonOutcome } from '../../../engine/outcomes/horizon.ts';
import { type OutcomePanel, readPanel } from '../../../engine/outcomes/panel.ts';
import { returnsAround } from '../../../engine/outcomes/returns.ts';
import { UniformDraws } from '../../../engine/statistics/draws.ts';
import { NAMES, samplePopulation } from './calibration.ts';
import { type Population, TRUTHS, type Truth, WARM_UP } from './paths.ts';

/** Five years. */
const BARS = 1_260;
export const HORIZONS = [1, 5, 20] as const;
const SIGNIFICANT = 0.05;
/** Entries of an instrument at random: one in so many sessions. */
const SELDOM = 20;
/** A walk is in its state above its mean of so many sessions. */
const WALK = 50;

/** True or not, by session of a range. */
type Flags = readonly boolean[];

const atRandom = (length: number, draws: UniformDraws): Flags =>
  Array.from({ length }, () => draws.next() < 1 / SELDOM);

function stateOfWalk(length: number, draws: UniformDraws): Flags {
  const walk = [0];
  while (walk.length < length + WALK) walk.push(walk[walk.length - 1] + draws.next() - 0.5);
  return Array.from({ length }, (_, t) => {
    const last = walk.slice(t, t + WALK);
    return walk[t + WALK] > last.reduce((sum, one) => sum + one, 0) / WALK;
  });
}

const beginnings = (flags: Flags): Flags => flags.map((flag, t) => flag && !(flags[t - 1] ?? false));

interface Kind {
  readonly draw: (length: number, draws: UniformDraws) => Flags;
  /** Instruments with hits. */
  readonly names: number;
}

const BEGINNINGS: Kind['draw'] = (length, draws) => beginnings(stateOfWalk(length, draws));

const KINDS: Readonly<Record<string, Kind>> = {
  'entries at random, one name': { draw: atRandom, names: 1 },
  'entries at random, all names': { draw: atRandom, names: NAMES },
  'beginnings of states, one name': { draw: BEGINNINGS, names: 1 },
  'beginnings of states, all names': { draw: BEGINNINGS, names: NAMES },
  'states, one name': { draw: stateOfWalk, names: 1 },
  'states, all names': { draw: stateOfWalk, names: NAMES },
};

async function panelOf(all: Population, truth: Truth, draws: UniformDraws): Promise<OutcomePanel> {
  const names = all.draw(truth, BARS, draws, [...Array(NAMES).keys()]);
  const market = {
    members: names.map(() => ({ asset_type: 'stock', venue: '' })),
    visit: () => names.map((series, member) => ({ member, series, isDelisted: false })),
  };
  return readPanel(market, { sessions: names[0].day, first: WARM_UP }, 'close');
}

/** Hits of the first names of a panel. */
function hitsOf({ first, days, hasBar }: OutcomePanel, { draw, names }: Kind, draws: UniformDraws): FoundHits {
  const flags = Array.from({ length: names }, () => draw(days.length - first, draws));
  const places = [...days.keys()]
    .slice(first)
    .flatMap((row) => flags.flatMap((own, member) => (own[row - first] ? [{ row, member }] : [])));
  return {
    rows: Int32Array.from(places, ({ row }) => row),
    members: Int32Array.from(places, ({ member }) => member),
    by: new Uint8Array(places.length),
    isMember: hasBar,
  };
}

type Shares = Readonly<Record<string, number>>;

/** Conditions of each kind in the calibration that is published. */
export const CALIBRATION_CONDITIONS = 2_000;

type Called = Readonly<Record<Truth, Readonly<Record<string, Shares>>>>;
const known = new Map<number, Promise<Called>>();

/** Shares of the conditions of each kind that are called, by horizon; kept, because they take many minutes. */
export function calledOutcomes(conditions: number): Promise<Called> {
  const shares = known.get(conditions) ?? calledUnderBoth(conditions);
  known.set(conditions, shares);
  return shares;
}

async function calledUnderBoth(conditions: number): Promise<Called> {
  const [none, drift] = [await calledUnder(TRUTHS[0], conditions), await calledUnder(TRUTHS[1], conditions)];
  return { none, drift };
}

async function calledUnder(truth: Truth, conditions: number): Promise<Readonly<Record<string, Shares>>> {
  const all = samplePopulation();
  const called = new Map(Object.keys(KINDS).map((name) => [name, new Map(HORIZONS.map((horizon) => [horizon, 0]))]));
  for (let path = 0; path < conditions; path++) {
    const draws = UniformDraws.fromSeed(path.toString(16).padStart(16, '0'));
    const panel = await panelOf(all, truth, draws);
    for (const [name, counts] of called) {
      const returns = returnsAround(panel, hitsOf(panel, KINDS[name], draws), 'same_day', HORIZONS);
      for (const [horizon, count] of counts) {
        const p = horizonOutcome(returns, horizon, null, false).excess?.p ?? 1;
        counts.set(horizon, count + Number(p <= SIGNIFICANT));
      }
    }
  }
  const shares = (counts: ReadonlyMap<number, number>) =>
    Object.fromEntries([...counts].map(([horizon, count]) => [horizon, count / conditions]));
  return Object.fromEntries([...called].map(([name, counts]) => [name, shares(counts)]));
}
