/** Monthly portfolios that hold the highest class of a factor and are short of the lowest, gross of costs. */
import { sessionAtOrBefore } from '../market/calendar.ts';
import { civilDate, type Day, dayOf } from '../market/dates.ts';
import { meanOf, ratioOf, sumOf, withoutNoise } from '../tear-sheet/figures.ts';
import { monthName, monthsOf } from '../tear-sheet/periods.ts';
import { type Cohort, type FormationPanel, formCohort, type LongShortRule, type Side } from './cohort.ts';
import { type MeanTest, testMean } from './mean-test.ts';

export interface LongShortMonth {
  /** That of the next formation. */
  readonly month: string;
  readonly ls: number;
  readonly long: number;
  readonly short: number;
  /** Names of the long and of the short side, over all cohorts. */
  readonly names: readonly [long: number, short: number];
}

export interface LongShort extends MeanTest {
  readonly formations: number;
  /** Formations without two sides. */
  readonly undefined: number;
  /** Half the sum of what is exchanged a month, as a share of each side, both sides added. */
  readonly turnover: number | null;
  /** The cost of one exchange, a sale and a purchase, at which nothing is left of the mean. */
  readonly break_even: number | null;
  readonly series: readonly LongShortMonth[];
}

/** Indices of the sessions at which portfolios are formed: the last of each month whose end by the calendar lies in the range. */
export function formationSessions(clock: Int32Array, start: Day, end: Day): number[] {
  return monthsOf(clock).flatMap(({ to }) => {
    const { year, month } = civilDate(clock[to - 1]);
    const monthEnd = sessionAtOrBefore(dayOf(year, month + 1, 1) - 1);
    return monthEnd >= start && monthEnd <= end ? [to - 1] : [];
  });
}

/** One side through a month: the mean weights of its cohorts, by member, and these as the month's returns leave them. */
interface Held {
  readonly names: number;
  readonly weights: Float64Array;
  readonly grown: Float64Array;
  /** Sum of `grown`. */
  readonly growth: number;
}

/** Holds a side of each cohort through the month after a formation; null where all names of one have ended. */
function hold(panel: FormationPanel, sides: readonly Side[], formation: number): Held | null {
  const { days, members, close, lastDay } = panel;
  const [weights, grown] = [new Float64Array(members), new Float64Array(members)];
  for (const side of sides) {
    const kept = side.weights.map((weight, i) => (lastDay[side.members[i]] > days[formation] ? weight : 0));
    const total = sumOf(kept);
    if (total === 0) return null;
    for (let i = 0; i < kept.length; i++) weights[side.members[i]] += kept[i] / total / sides.length;
  }
  const [now, next] = [formation * members, (formation + 1) * members];
  let names = 0;
  for (let m = 0; m < members; m++) {
    if (weights[m] === 0) continue;
    names++;
    grown[m] = (weights[m] * close[next + m]) / close[now + m];
  }
  return { names, weights, grown, growth: sumOf(grown) };
}

/** Half the sum of the changes of weights. */
function exchanged({ grown, growth }: Held, { weights }: Held): number {
  let sum = 0;
  for (let m = 0; m < weights.length; m++) sum += Math.abs(weights[m] - grown[m] / (growth || 1));
  return withoutNoise(sum / 2);
}

/** The sides of the cohorts through the month after the last of them; null where one is undefined. */
function holdBoth(panel: FormationPanel, cohorts: readonly (Cohort | null)[], formation: number) {
  const defined = cohorts.filter((cohort) => cohort !== null);
  if (defined.length < cohorts.length) return null;
  const sides = (side: keyof Cohort) =>
    hold(
      panel,
      defined.map((cohort) => cohort[side]),
      formation,
    );
  const [long, short] = [sides('long'), sides('short')];
  return long && short && { long, short };
}

/** `values`: of the factor, formation by formation, member by member; NaN for who is not eligible. */
export function longShort(panel: FormationPanel, values: Float64Array, rule: LongShortRule): LongShort {
  const { days } = panel;
  const cohorts = Array.from(days, (_, formation) => formCohort(panel, values, formation, rule));
  const series: LongShortMonth[] = [];
  const turnovers: number[] = [];
  let before: ReturnType<typeof holdBoth> = null;
  for (let formation = rule.hold - 1; formation + 1 < days.length; formation++) {
    const now = holdBoth(panel, cohorts.slice(formation + 1 - rule.hold, formation + 1), formation);
    if (now && before) turnovers.push(exchanged(before.long, now.long) + exchanged(before.short, now.short));
    before = now;
    if (now === null) continue;
    const { long, short } = now;
    series.push({
      month: monthName(days[formation + 1]),
      ls: long.growth - short.growth,
      long: long.growth - 1,
      short: short.growth - 1,
      names: [long.names, short.names],
    });
  }
  const test = testMean(
    Float64Array.from(series, ({ ls }) => ls),
    rule.hold,
  );
  const turnover = meanOf(turnovers);
  return {
    formations: days.length,
    undefined: cohorts.filter((cohort) => cohort === null).length,
    ...test,
    turnover,
    break_even: ratioOf(test.mean, turnover),
    series,
  };
}
