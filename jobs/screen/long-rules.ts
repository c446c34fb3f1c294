/**
 * Rules of a screen that need more bars than a snapshot has, evaluated over the whole history of each instrument, or across all of them
 * where rules compare them.
 */

import { setImmediate } from 'node:timers/promises';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { sessionAtOrBefore, sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, dayOf } from '../../engine/market/dates.ts';
import { knownColumns } from '../../engine/market/own-columns.ts';
import { type BarSeries, sliceByDay } from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { checkRule } from '../../engine/rules/check.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../engine/rules/compile.ts';
import { evaluateMarket } from '../../engine/rules/market-values.ts';
import type { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import type { Span } from '../../engine/rules/problems.ts';
import type { Condition, Value } from '../../engine/rules/program.ts';
import type { Expression } from '../../engine/rules/syntax.ts';
import { roundValue } from '../../engine/screener/figures.ts';
import { memberTest } from '../../engine/screener/screen.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { LongFigures, LongRules } from '../contracts/screen.ts';
import { othersNamed, readHistories } from '../runs/history.ts';
import { readingColumns } from '../runs/own-columns.ts';
import { marketHistories, type Seen } from '../snapshot/collect.ts';

type ScreenContext = Pick<JobContext, 'pool' | 'signal'>;

interface Programs {
  readonly where: readonly Condition[];
  readonly values: readonly Value[];
  readonly tickers: readonly string[];
}

/** Rules of a screen, compiled from their texts. */
export function programsOf({ where, values, own }: Pick<LongRules, 'where' | 'values' | 'own'>): Programs {
  const tickers = new Map<string, Span>();
  const expressionOf = (text: string, result: 'condition' | 'value'): Expression => {
    const columns = own && knownColumns(own);
    const options = { result, market: 'peers', mayUsePosition: false, parameters: null, tickers, columns } as const;
    const checked = checkRule(text, options);
    if ('problems' in checked) throw new RangeError(`invalid rule: ${text}`);
    return checked.expression;
  };
  return {
    where: where.map((text) => compileCondition(expressionOf(text, 'condition'))),
    values: values.map((text) => compileValue(expressionOf(text, 'value'))),
    tickers: [...tickers.keys()],
  };
}

const figureOf = (value: number) => {
  const figure = roundValue(value);
  return Number.isNaN(figure) ? null : figure;
};

/** `seen`: whose bars and events these are. At the session of `day` and at the one before. */
export async function longFigures(
  context: ScreenContext,
  rules: LongRules,
  day: Day,
  seen: Seen,
): Promise<LongFigures> {
  const programs = programsOf(rules);
  const all = await selectInstruments(context.pool);
  const others = await othersNamed(context.pool, programs.tickers, all, day, readingColumns(readHistories, rules.own));
  const screen = { programs, others, day, before: sessionAtOrBefore(day - 1), seen, own: rules.own };
  const readsUniverse = [...programs.where, ...programs.values].some((program) => program.readsUniverse);
  if (!readsUniverse) return figuresOfEach(context, rules.ids ? all.filter(memberTest(rules)) : all, screen);
  const members = all.filter(memberTest(rules));
  return figuresAcross(
    context,
    members.sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
    screen,
  );
}

interface Screen {
  readonly programs: Programs;
  readonly others: OtherInstruments | undefined;
  readonly day: Day;
  readonly before: Day;
  readonly seen: Seen;
  readonly own: LongRules['own'];
}

/** Before any bar. */
const FIRST_DAY = dayOf(1970, 1, 1);

/** Instruments are compared with those that have a bar at the session. */
async function figuresAcross(
  context: ScreenContext,
  instruments: readonly Instrument[],
  { programs, others, day, before, seen, own }: Screen,
): Promise<LongFigures> {
  const memberOf = new Map(instruments.map(({ id }, member) => [id, member]));
  let isMixed = false;
  async function* visit() {
    const span = { through: day, newest: day, seen, own };
    for await (const { instrument, traded, events } of marketHistories(context, instruments, span)) {
      await setImmediate();
      const member = memberOf.get(instrument.id);
      if (member === undefined) continue;
      isMixed ||= traded.day[0] < CONSOLIDATED_FROM;
      const { delistedOn } = instrument;
      yield { member, series: adjustToLastBar(traded, events), isDelisted: delistedOn !== null && delistedOn <= day };
    }
  }
  const groups = instruments.map(({ assetType, primaryVenue }) => ({ asset_type: assetType, venue: primaryVenue }));
  const sessions = Int32Array.from(sessionsBetween(FIRST_DAY, day));
  const asked = [before, day].map((session) => sessions.indexOf(session));
  const { holds, values } = await evaluateMarket({ members: groups, visit }, programs, { sessions, asked }, others);
  const session = (row: number) => {
    const [from, to] = [row * instruments.length, (row + 1) * instruments.length];
    return {
      holds: holds.map((mask) => instruments.filter((_, i) => mask[from + i] === 1).map(({ id }) => id)),
      values: values.map((column) => Array.from(column.subarray(from, to), figureOf)),
    };
  };
  return { isMixed, ids: instruments.map(({ id }) => id), sessions: [session(1), session(0)] };
}

/** Figures of one history at its last bar, on the basis of that bar. */
type Measure = (series: BarSeries) => {
  readonly holds: readonly boolean[];
  readonly values: readonly (number | null)[];
};

function measureOf({ where, values }: Programs, others: OtherInstruments | undefined): Measure {
  return (series) => {
    const columns = new HistoryColumns(new IndicatorSet(series), { others });
    return {
      holds: where.map((condition) => columns.mask(condition).at(-1) === 1),
      values: values.map((node) => figureOf(columns.known(node).at(-1) ?? Number.NaN)),
    };
  };
}

/** Each instrument at its last bar. */
async function figuresOfEach(
  context: ScreenContext,
  instruments: readonly Instrument[],
  { programs, others, day, before, seen, own }: Screen,
): Promise<LongFigures> {
  const measure = measureOf(programs, others);
  const found: { id: number; now: ReturnType<Measure>; before: ReturnType<Measure> }[] = [];
  let isMixed = false;
  const span = { through: day, newest: day, seen, own };
  for await (const { instrument, traded, events } of marketHistories(context, instruments, span)) {
    await setImmediate();
    const now = measure(adjustToLastBar(traded, events));
    const earlier = sliceByDay(traded, traded.day[0], before);
    const isSame = earlier.length === traded.length;
    found.push({ id: instrument.id, now, before: isSame ? now : measure(adjustToLastBar(earlier, events)) });
    isMixed ||= traded.day[0] < CONSOLIDATED_FROM;
  }
  const session = (at: 'now' | 'before') => ({
    holds: programs.where.map((_, k) => found.filter((one) => one[at].holds[k]).map(({ id }) => id)),
    values: programs.values.map((_, k) => found.map((one) => one[at].values[k])),
  });
  return { ids: found.map(({ id }) => id), sessions: [session('now'), session('before')], isMixed };
}
