/** Indicators and functions of the rule language against TA-Lib, at every bar. */
import { fileURLToPath } from 'node:url';
import { ruleColumns } from '../rule-column.ts';
import { type NamedSeries, sampleSeries, toJson } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('ta-lib.py', import.meta.url));

/** By symbol and rule; null where TA-Lib has no figure yet. */
type Columns = Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;

/** Bars where neither has a figure yet are not counted. */
function compare({ symbol, series }: NamedSeries, theirs: Columns[string]): Pair[] {
  const columnOf = ruleColumns(series);
  return Object.entries(theirs).flatMap(([rule, column]) =>
    [...columnOf(rule)].flatMap((figure, bar) => {
      const ours = Number.isNaN(figure) ? null : figure;
      if (ours === null && column[bar] === null) return [];
      return [{ name: `${rule} of ${symbol} at bar ${bar}`, theirs: column[bar], ours }];
    }),
  );
}

/** Until the seeds are forgotten. */
const SEEDED_BARS = 200;
const isMacd = (name: string) => /^macd(_signal)?\(/.test(name) && Number(/\d+$/.exec(name)) < SEEDED_BARS;

export const TA_LIB: Suite = {
  name: 'ta-lib',
  title: 'TA-Lib',
  source: 'ta-lib 0.8.2',
  compares:
    'Every indicator and window function of rules, and formulas of them, on each bar of 10 series of the sample market over 2 years',
  tolerance: 1e-9,
  deviations: [
    {
      matches: ({ name, theirs }) => isMacd(name) && theirs === null,
      within: Number.POSITIVE_INFINITY,
      reason:
        'TA-Lib leaves out the line of the MACD until its signal has a figure; ours begins with the slow mean, as the table of indicators in RULES.md says.',
    },
    {
      matches: ({ name }) => isMacd(name),
      within: 1,
      reason:
        'TA-Lib seeds the fast mean of the MACD at the bar of the slow one; ours is the difference of two columns `ema`, so they differ until the seed is forgotten (RULES.md, "Seeds").',
    },
    {
      matches: ({ name, theirs, ours }) =>
        name.startsWith('(close - open) / (high - low)') && theirs === 0 && ours === null,
      within: Number.POSITIVE_INFINITY,
      reason:
        'The balance of power of a bar without a range is 0 for TA-Lib; in rules a division by 0 is undefined (RULES.md, "Values").',
    },
  ],
  needsPython: true,
  async pairs(choose, python) {
    const series = choose(sampleSeries(10, 2022, 2023), 1);
    const theirs = await python.run<Columns>(SCRIPT, series.map(toJson));
    return series.flatMap((one) => compare(one, theirs[one.symbol]));
  },
};
