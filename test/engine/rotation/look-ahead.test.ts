/** Rotations cut after every session: one that keeps the rules is the same, one that looks ahead anywhere is found. */
import { describe, expect, it } from '@jest/globals';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { firstIndexFrom, sliceSeries } from '../../../engine/market/series.ts';
import { type ProvedRotation, proveRotationPrefixes } from '../../../engine/rotation/look-ahead.ts';
import { FILTER, type Panel } from '../../../engine/rotation/panel.ts';
import { weighBy } from '../../../engine/rotation/weigh.ts';
import { panelOf, type ScoreRule, valuesOf } from '../../support/panels.ts';
import { walkingMembers } from './oracles/walks.ts';

const MOMENTUM: ScoreRule = {
  columns: [({ series: { close } }) => close.map((price, t) => (t < 10 ? Number.NaN : price / close[t - 10]))],
  combine: (values) => values,
};

function panelFrom(names: number, sessions: number, start: number): Panel {
  const members = walkingMembers(names, sessions, 77);
  const days = [...new Set(members.flatMap(({ series }) => [...series.day]))].sort((a, b) => a - b);
  return panelOf(
    members
      .map((member) => ({ ...member, from: firstIndexFrom(member.series, days[start]) }))
      .filter(({ from, to }) => from < to),
  );
}

/** Whether the first member closes above its mean, at each session. */
function filterOf({ members, clock }: Panel): Int8Array {
  const { series } = members[0];
  const mean = new IndicatorSet(series).sma(5);
  return Int8Array.from(clock, (day) => {
    const bar = series.day.indexOf(day);
    return bar === -1 ? FILTER.undefined : series.close[bar] > mean[bar] ? FILTER.open : FILTER.closed;
  });
}

const panel = panelFrom(9, 130, 70);
const HONEST: ProvedRotation = {
  panel,
  cut: (member, to) => sliceSeries(panel.members[member].series, 0, to),
  valuesOf: async (cut, sessions) => valuesOf(cut, sessions, MOMENTUM, filterOf(cut)),
  schedule: { every: { sessions: 7 }, offset: 1 },
  rule: {
    order: 'desc',
    hold: { top: 3 },
    keep: { top: 4 },
    weigh: weighBy({
      method: 'min_variance',
      lookback: 30,
      covariance: 'ledoit_wolf',
      bounds: { min: 0, max: 0.6 },
      targetVolatilityPct: 8,
    }),
    exits: { stopLossPct: 3, takeProfitPct: 0, stop: null, trail: null },
    cashBufferPct: 1,
  },
  execution: { executeOn: 'close', commissionRate: 0.001, minCommission: 1, slippageBps: 5, initialCapital: 100_000 },
};

async function proofOf(rotation: ProvedRotation) {
  const proof = proveRotationPrefixes(rotation);
  for (;;) {
    const step = await proof.next();
    if (step.done) return step.value;
  }
}

describe('a rotation', () => {
  it.each(['close', 'next_open'] as const)('is the same on every prefix, filled at the %s', async (executeOn) => {
    const execution = { ...HONEST.execution, executeOn };
    expect(await proofOf({ ...HONEST, execution })).toEqual({
      prefixes: panel.clock.length,
      differences: 0,
      verdict: 'none',
      first: null,
    });
  });

  const LEAKS: Readonly<Record<string, Partial<ProvedRotation>>> = {
    'its score': {
      valuesOf: async (cut, sessions) => {
        const ahead: ScoreRule = {
          ...MOMENTUM,
          columns: [({ series: { close } }) => close.map((price, t) => (close[t + 1] ?? price) / price)],
        };
        return valuesOf(cut, sessions, ahead, filterOf(cut));
      },
    },
    'its market filter': {
      valuesOf: async (cut, sessions) => {
        const filter = filterOf(cut);
        const ahead = filter.map((value, t) => filter[t + 1] ?? value);
        return valuesOf(cut, sessions, MOMENTUM, ahead);
      },
    },
    'its weights': {
      rule: {
        ...HONEST.rule,
        weigh: (seen, at, members) => {
          const session = Math.min(at.session + 1, seen.clock.length - 1);
          return HONEST.rule.weigh(seen, { ...at, session }, members);
        },
      },
    },
    'its universe': {
      valuesOf: async (cut, sessions) => {
        const last = cut.clock[cut.clock.length - 1];
        const isAlive = ({ series }: IndicatorSet) => series.day.map(() => Number(series.day.at(-1) === last));
        return valuesOf(cut, sessions, { ...MOMENTUM, where: isAlive }, filterOf(cut));
      },
    },
  };

  it.each(Object.entries(LEAKS))('that looks ahead in %s is found', async (_, leak) => {
    const proof = await proofOf({ ...HONEST, ...leak });
    expect(proof).toMatchObject({ verdict: 'found', first: { cutAfter: expect.any(Number) } });
    expect(proof.differences).toBeGreaterThan(0);
  });
});
