/** The job of signals: evaluates every due watch at the newest session, over whole histories. */
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { selectSeries } from '../../db/market/bars.ts';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import { endStep } from '../../db/queue/session-steps.ts';
import { recordEvaluation, type Signal } from '../../db/research/signals.ts';
import { type DueWatch, selectDueWatches } from '../../db/research/watches.ts';
import type { WatchedScreen } from '../../db/schema/research.ts';
import {
  figuresAtNewest,
  holdsAtNewest,
  type NewestSignal,
  newestSignal,
  withBarsAhead,
} from '../../engine/backtest/newest-signal.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { spliceSeries } from '../../engine/market/venue-basis.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { compileCondition } from '../../engine/rules/compile.ts';
import type { OtherInstruments } from '../../engine/rules/other-instruments.ts';
import { readRules, strategyOf } from '../../engine/rules/strategy.ts';
import type { Expression } from '../../engine/rules/syntax.ts';
import { memberTest } from '../../engine/screener/screen.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { Strategy } from '../../engine/strategies/strategy.ts';
import type { UsedColumn } from '../contracts/backtest.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { MAX_WATCHED, SCREEN_ITSELF } from '../contracts/signals.ts';
import { othersNamed, readHistories } from '../runs/history.ts';
import {
  type ColumnsOf,
  newestColumns,
  readingColumns,
  readOwnColumns,
  type UsedColumns,
} from '../runs/own-columns.ts';
import { longFigures } from '../screen/long-rules.ts';
import { type NewestSession, newestEvaluable } from './enqueue.ts';
import { checkedCondition, columnNamesOf, tickersOf } from './named.ts';
import { rotationSignals } from './rotation.ts';

/** Instruments read at once. */
const CHUNK = 100;

type SignalsContext = Pick<JobContext, 'pool' | 'now' | 'log' | 'signal'>;

export async function evaluateSignals(context: SignalsContext): Promise<void> {
  const { pool, now, log, signal } = context;
  const newest = await newestEvaluable(pool, now());
  if (newest === null) return;
  const due = await selectDueWatches(pool, newest.session, newest.dataVersion);
  if (due.length === 0) return;
  const instruments = await selectInstruments(pool);
  const plans: WatchPlan[] = [];
  const rotations: { readonly watch: DueWatch; readonly signals: readonly Signal[] }[] = [];
  for (const watch of due) {
    if (watch.rotation !== null) {
      rotations.push({ watch, signals: await rotationSignals(context, watch, newest.day) });
      continue;
    }
    const columns = await newestColumns(pool, watch.userId, columnNamesOf(watch));
    const others = await othersNamed(
      pool,
      tickersOf(watch),
      instruments,
      newest.day,
      readingColumns(readHistories, columns),
    );
    const compared = await comparedInstruments(context, watch, columns, newest.day);
    plans.push(prepareWatch(watch, instruments, { others, columns, compared }));
  }
  await evaluateInstruments(context, newest, instruments, plans);
  let recorded = 0;
  for (const { watch, signals } of [...plans, ...rotations]) {
    signal.throwIfAborted();
    if (await recordEvaluation(pool, evaluationOf(watch, newest, signals, new Date(now())))) recorded++;
  }
  await endStep(pool, { step: 'signals', days: [newest.day], at: new Date(now()), rows: recorded });
  log.info({ session: newest.session, watches: recorded }, 'watches were evaluated');
}

function evaluationOf(watch: DueWatch, { session, dataVersion }: NewestSession, signals: readonly Signal[], at: Date) {
  const { id, name, userId, sendsMail } = watch;
  return { watch: { id, name }, userId, session, dataVersion, signals, sendsMail, at };
}

/** Evaluates all watches on each instrument that they include, reading every history once. */
async function evaluateInstruments(
  { pool, signal }: SignalsContext,
  { day }: NewestSession,
  instruments: readonly Instrument[],
  plans: readonly WatchPlan[],
): Promise<void> {
  const wanted = instruments.filter(({ id }) => plans.some((plan) => plan.watches(id)));
  const events = await selectAdjustments(pool);
  for (let at = 0; at < wanted.length; at += CHUNK) {
    signal.throwIfAborted();
    const chunk = wanted.slice(at, at + CHUNK);
    const ids = chunk.map(({ id }) => id);
    const [primary, consolidated] = [
      await selectSeries(pool, ids, 'primary_session'),
      await selectSeries(pool, ids, 'consolidated'),
    ];
    const own = new Map<WatchPlan, ColumnsOf>();
    for (const plan of plans) {
      const columns = await readOwnColumns(pool, plan.columns, ids);
      if (columns !== null) own.set(plan, columns);
    }
    for (const instrument of chunk) {
      const { id } = instrument;
      const spliced = spliceSeries(primary.get(id) ?? EMPTY_SERIES, consolidated.get(id) ?? EMPTY_SERIES, day);
      const traded = { ...spliced, listedOn: instrument.listedOn ?? undefined };
      // An instrument without a bar at the session has no signal.
      if (traded.length === 0 || traded.day[traded.length - 1] !== day) continue;
      evaluateOn(instrument, adjustToLastBar(traded, events.get(id) ?? []), plans, own);
    }
  }
}

/** `own`: the columns of the plans whose rules name some. Other plans share the figures of an instrument. */
function evaluateOn(
  instrument: Instrument,
  series: BarSeries,
  plans: readonly WatchPlan[],
  own: ReadonlyMap<WatchPlan, ColumnsOf>,
): void {
  const { id, symbol } = instrument;
  const shared = watchedHistory(id, series);
  for (const plan of plans) {
    const columns = own.get(plan);
    const history = columns === undefined ? shared : watchedHistory(id, { ...series, own: columns(id) });
    const found = plan.watches(id) ? plan.find(history) : null;
    if (found === null) continue;
    plan.signals.push({
      instrumentId: id,
      symbol: qualifiedSymbol(symbol),
      kind: found.kind,
      reason: found.reason,
      close: series.close[series.length - 1],
      figures: plan.figures(history.indicators, found.kind),
    });
  }
}

function watchedHistory(id: number, series: BarSeries): WatchedHistory {
  const ahead = withBarsAhead(series, 1);
  return { id, ahead, indicators: new IndicatorSet(series), indicatorsAhead: new IndicatorSet(ahead) };
}

/** The history of an instrument through the session, and with a bar ahead. */
interface WatchedHistory {
  readonly id: number;
  readonly ahead: BarSeries;
  readonly indicators: IndicatorSet;
  readonly indicatorsAhead: IndicatorSet;
}

/** A watch that is ready to be evaluated: its instruments, and the signals found so far. */
interface WatchPlan {
  readonly watch: DueWatch;
  readonly signals: Signal[];
  /** Own columns that its rules name; undefined: none. */
  readonly columns: UsedColumns;
  /** Whether the watch includes an instrument, if its screen passes it. */
  readonly watches: (instrumentId: number) => boolean;
  /** To be called once per instrument: a screen passes the first `MAX_WATCHED` alone. */
  readonly find: (history: WatchedHistory) => NewestSignal | null;
  /** The figures behind an entry or an exit. */
  readonly figures: (indicators: IndicatorSet, kind: Signal['kind']) => Signal['figures'];
}

/** The instruments for which a screen holds that compares them, now and a session before; null: the watch has no such screen. */
async function comparedInstruments(
  { pool, signal }: SignalsContext,
  { screen }: DueWatch,
  columns: UsedColumn[] | undefined,
  day: Day,
): Promise<readonly ReadonlySet<number>[] | null> {
  if (screen === null || !compileCondition(checkedCondition(screen.where).expression).readsUniverse) return null;
  const rules = { where: [screen.where], values: [], ...membersOf(screen), own: columns };
  const { sessions } = await longFigures({ pool, signal }, rules, day, null);
  return sessions.map(({ holds: [ids] }) => new Set(ids));
}

const membersOf = ({ assetTypes, ids }: WatchedScreen) => ({ assetTypes: [...assetTypes], ids: ids ? [...ids] : null });

/** Whatever the rules of a watch read besides the bars of an instrument. */
interface WatchSurroundings {
  readonly others: OtherInstruments | undefined;
  readonly columns: UsedColumn[] | undefined;
  /** The instruments for which its screen holds, now and a session before; null: each is evaluated alone. */
  readonly compared: readonly ReadonlySet<number>[] | null;
}

function prepareWatch(watch: DueWatch, instruments: readonly Instrument[], surroundings: WatchSurroundings): WatchPlan {
  const { others, columns, compared } = surroundings;
  const { instrumentIds, screen } = watch;
  const watched = new Set(
    screen === null ? instrumentIds : instruments.filter(memberTest(membersOf(screen))).map(({ id }) => id),
  );
  const where = screen === null ? null : checkedCondition(screen.where, columns).expression;
  const common = { watch, columns, signals: [], watches: (instrumentId: number) => watched.has(instrumentId) };
  if (where === null || watch.strategy !== SCREEN_ITSELF)
    return { ...common, ...strategyPlan(watch, where, surroundings) };
  const condition = compileCondition(where);
  let found = 0;
  return {
    ...common,
    find: ({ id, indicators }) => {
      const mask = compared === null ? new HistoryColumns(indicators, { others }).mask(condition) : null;
      const [isIn, wasIn] = [0, 1].map((ago) => (mask ? mask.at(-1 - ago) === 1 : (compared?.[ago].has(id) ?? false)));
      if (isIn === wasIn || found++ >= MAX_WATCHED) return null;
      return { kind: isIn ? 'entry' : 'exit', reason: 'signal' };
    },
    figures: (indicators) =>
      compared === null ? figuresAtNewest(new HistoryColumns(indicators, { others }), where, {}) : {},
  };
}

/** `where`: the condition of the screen that chooses its instruments; null: they are listed. */
function strategyPlan(
  { strategy: code, params, rules: texts }: DueWatch,
  where: Expression | null,
  { others, columns, compared }: WatchSurroundings,
): Pick<WatchPlan, 'find' | 'figures'> {
  const strategy = strategyOf({ strategy: code, rules: texts ?? undefined, params, columns }, others);
  let passed = 0;
  const passesScreen = ({ indicators, id }: WatchedHistory) => {
    if (where === null) return true;
    const holds = compared?.[0].has(id) ?? holdsAtNewest(new HistoryColumns(indicators, { others }), where);
    if (passed >= MAX_WATCHED || !holds) return false;
    passed++;
    return true;
  };
  return {
    find: (history) =>
      passesScreen(history) ? newestSignal(strategy, params, history.ahead, history.indicatorsAhead) : null,
    figures: figuresOf(texts ?? strategy.rules, params, others, columns),
  };
}

function figuresOf(
  texts: Strategy['rules'],
  params: ParameterValues,
  others: OtherInstruments | undefined,
  columns: readonly UsedColumn[] | undefined,
): WatchPlan['figures'] {
  const read = texts === null ? null : readRules(texts, 'peers', columns);
  if (read === null || 'problems' in read) return () => ({});
  const { entry, exit } = read.rules;
  return (indicators, kind) => {
    const condition = kind === 'entry' ? entry : exit;
    return condition === null ? {} : figuresAtNewest(new HistoryColumns(indicators, { others }), condition, params);
  };
}
