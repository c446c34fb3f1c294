/** Indicators that the tests of other programs publish, over the bars that they publish. */
import { type Recorded, readRecorded, recordedPairs } from '../recorded.ts';
import type { Deviation, Suite } from '../suite.ts';

interface Publication {
  readonly name: string;
  readonly title: string;
  readonly compares: string;
  readonly deviations?: readonly Deviation[];
}

function publishedSuite({ name, ...more }: Publication): Suite {
  const recorded = readRecorded(name);
  return {
    name,
    source: sourceOf(recorded),
    tolerance: 1e-9,
    needsPython: false,
    pairs: async () => recordedPairs(recorded),
    ...more,
  };
}

function sourceOf({ from, license, tables }: Recorded): string {
  const files = new Set(tables.flatMap(({ figures }) => figures.map(({ file }) => file)));
  return `${from} (${license}), recorded from ${files.size} files`;
}

const SINGLE_PRECISION = ['indicators', 'macd', 'don50', 'roc50', 'rocp50', 'williamsR14']
  .map((name) => `spy_with_${name}.txt`)
  .concat('spy_atr.txt', 'spy_bollinger_bands.txt');

export const PUBLISHED_INDICATORS = [
  publishedSuite({
    name: 'ta-regtest',
    title: "TA-Lib's regression tests",
    compares: 'The figures that its tests expect, over the 252 bars that come with them',
    deviations: [
      {
        matches: ({ name }) => name.startsWith('TA_MACD('),
        within: 0.18,
        reason: 'TA-Lib seeds the fast mean of the MACD at the bar of the slow one (RULES.md, "Seeds").',
      },
      {
        matches: ({ name }) => !name.startsWith('TA_MACD('),
        within: 3e-3,
        reason: 'Some figures are cut off and not rounded; the tests of TA-Lib take what is within 0.01.',
      },
    ],
  }),
  publishedSuite({
    name: 'lean',
    title: 'LEAN',
    compares: 'Indicators of its test data `spy_*`, each value of up to 362 bars',
    deviations: [
      {
        matches: ({ name, theirs, ours }) =>
          name.startsWith('AverageTrueRange(14) ') && theirs !== null && ours === null,
        within: Number.POSITIVE_INFINITY,
        reason:
          'LEAN takes the high less the low of the first bar as its true range, so its ATR has a figure a bar earlier (RULES.md, "Seeds").',
      },
      {
        matches: ({ name }) => name.startsWith('AverageTrueRange(14) '),
        within: 0.035,
        reason:
          'LEAN seeds the ATR with that range of the first bar, ours with the first true range (RULES.md, "Seeds").',
      },
      {
        matches: ({ name }) => SINGLE_PRECISION.some((file) => name.includes(file)),
        within: 2e-4,
        reason:
          'The figures of these files were computed in single precision, of which the seven digits published are the last.',
      },
    ],
  }),
];
