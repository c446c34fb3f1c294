/** One forward record on the newest data: its new sessions, and what has become of those that it told. */
import type { ForwardRecord } from '../../db/research/forward.ts';
import { PREDICTED, standingOf } from '../../engine/forward/bands.ts';
import type { EventEntry, LiveFigures, SessionEntry } from '../../engine/forward/record.ts';
import { sessionAfter, sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { statisticsOfRun } from '../../engine/statistics/single-run.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { RunSpec, UsedColumn } from '../contracts/backtest.ts';
import type { Failed, MeasuredKind, OpenRun, ReadContext, RunOutcome } from '../runs/kind.ts';
import { newestColumns } from '../runs/own-columns.ts';
import { doublesOf, money, rounded, shares, type Told } from './chain.ts';

/** Sessions without an entry after which a record is abandoned. */
const SILENT = 20;
/** Returns that differ by less were rounded in another way. */
export const NOISE = 1.5e-8;

export interface Appended {
  readonly entries: readonly (SessionEntry | EventEntry)[];
  readonly isAbandoned: boolean;
  readonly baseEquity: number | null;
}

/** A record with the kind of its run, at the newest session. */
interface Going<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome> {
  readonly kind: MeasuredKind<Spec, Data, Outcome>;
  readonly record: ForwardRecord;
  readonly spec: Spec;
  readonly dataVersion: string;
}

/** `spec`: with present facts of its instruments; `newest`: the newest session. */
export async function appendTo<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  context: ReadContext,
  { kind, record, spec: sealed, dataVersion }: Going<Spec, Data, Outcome>,
  told: Told,
  newest: Day,
): Promise<Appended> {
  const columns = await columnsNow(context, record, sealed.columns);
  const silence = { entries: [], isAbandoned: isSilent(record, newest), baseEquity: record.baseEquity };
  // A column that is there no more ends it, like a column that has no rows.
  if (columns === null) return silence;
  const spec = { ...sealed, columns };
  const at = (day: Day) => runThrough(kind, spec, day, (through) => kind.read(context, through, dataVersion));
  const run = await at(newest);
  if ('failure' in run) return silence;
  const after = requireDay(record.lastSession ?? record.sealedDay);
  const due = [...run.days.keys()].filter((t) => run.days[t] > after && t > 0);
  const entries: (SessionEntry | EventEntry)[] = [...engineEntry(told), ...revisions(record, told, run)];
  const facts = {
    engine_version: ENGINE_VERSION,
    data_version: dataVersion,
    columns: (columns ?? []).map(({ name, version }) => ({ name, version })),
  };
  let equity = told.sessions.at(-1)?.equity ?? null;
  for (const t of due) {
    const through = t === run.days.length - 1 ? run : await at(run.days[t]);
    if ('failure' in through) return silence;
    const entry = sessionEntry(facts, through, equity);
    equity = entry.equity;
    entries.push(entry);
  }
  const baseEquity = record.baseEquity ?? (due.length > 0 ? run.equity[due[0] - 1] : null);
  return { entries, baseEquity, isAbandoned: due.length === 0 && silence.isAbandoned };
}

async function columnsNow(
  { pool }: ReadContext,
  { userId }: ForwardRecord,
  sealed: readonly UsedColumn[] | undefined,
): Promise<UsedColumn[] | undefined | null> {
  if (sealed === undefined || sealed.length === 0) return undefined;
  return (await newestColumns(pool, userId, new Set(sealed.map(({ name }) => name)))) ?? null;
}

function isSilent({ lastSession, sealedDay }: ForwardRecord, newest: Day): boolean {
  return sessionsBetween(requireDay(lastSession ?? sealedDay) + 1, newest).length >= SILENT;
}

/** The run as if its range had not ended, with nothing known but what was up to a session. `read`: reads its data. */
export async function runThrough<Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
  kind: MeasuredKind<Spec, Data, Outcome>,
  sealed: Spec,
  day: Day,
  read: (spec: Spec) => Data | Failed | Promise<Data | Failed>,
): Promise<OpenRun | Failed> {
  const spec = { ...sealed, asOf: day, dataAsOf: day, end: null };
  const data = await read(spec);
  return 'failure' in data ? data : kind.goOn(spec, data, sessionAfter(day));
}

/** The entry of the last session of a run. `told`: the equity that was told before it; null: none was. */
export function sessionEntry(
  facts: Pick<SessionEntry, 'engine_version' | 'data_version' | 'columns'>,
  { days, equity, market, positions, orders }: OpenRun,
  told: number | null,
): SessionEntry {
  const last = days.length - 1;
  const before = equity[last - 1];
  // The told equity goes on, also where earlier sessions were revised since.
  const isAsTold = told === null || told === money(before);
  return {
    session: formatDay(days[last]),
    ...facts,
    positions: positions.map(({ symbol, shares: count }) => ({ symbol, shares: shares(count) })),
    orders,
    return: returnAt(equity, last),
    benchmark: rounded(market[last]),
    equity: money(isAsTold ? equity[last] : told * (1 + returnAt(equity, last))),
  };
}

function engineEntry({ sessions, engine }: Told): EventEntry[] {
  const last = sessions.at(-1);
  if (last === undefined || engine === null || engine === ENGINE_VERSION) return [];
  return [{ kind: 'engine', session: last.session, before: engine, after: ENGINE_VERSION }];
}

/** The return of a session; 0 where nothing was left before it. */
function returnAt(equity: Float64Array, t: number): number {
  return equity[t - 1] === 0 ? 0 : rounded(equity[t] / equity[t - 1] - 1);
}

/** Sessions told by this engine that have another return since. Their equity is that of all returns since the seal. */
function revisions(
  { baseEquity }: ForwardRecord,
  { sessions, revised }: Told,
  { days, equity }: OpenRun,
): EventEntry[] {
  if (sessions.length === 0 || baseEquity === null) return [];
  const indexOf = new Map(Array.from(days, (day, t) => [formatDay(day), t]));
  const first = indexOf.get(sessions[0].session);
  if (first === undefined || first === 0) return [];
  const scale = baseEquity / equity[first - 1];
  return sessions.flatMap((one): EventEntry[] => {
    const t = indexOf.get(one.session);
    if (t === undefined || one.engine_version !== ENGINE_VERSION) return [];
    const { return: was, equity: wasEquity } = revised.get(one.session) ?? one;
    const now = returnAt(equity, t);
    if (Math.abs(now - was) < NOISE) return [];
    const after = { return: now, equity: money(scale * equity[t]) };
    return [{ kind: 'revised', session: one.session, before: { return: was, equity: wasEquity }, after }];
  });
}

/** Null without a session. */
export function liveFigures(
  { returns, market, seal, sealed, lowered }: ForwardRecord,
  sessions: readonly SessionEntry[],
): LiveFigures | null {
  if (sessions.length === 0) return null;
  const live = {
    returns: Float64Array.from(sessions, (one) => one.return),
    market: Float64Array.from(sessions, (one) => one.benchmark),
  };
  const { seed } = seal;
  const was = { returns: doublesOf(returns), market: doublesOf(market), seed };
  const isPredicted = sessions.length <= PREDICTED;
  const standing = isPredicted ? standingOf(was, live) : null;
  const among = isPredicted && lowered > 0 ? standingOf(was, live, lowered) : null;
  const days = requireDay(sessions[sessions.length - 1].session) - requireDay(sessions[0].session);
  const skill = statisticsOfRun(live.returns, live.market, Math.max(1, days), seed).skill;
  const { appraisal: before } = sealed;
  const appraisal = skill?.appraisal ?? null;
  const grown = ({ returns: each }: { readonly returns: Float64Array }) => each.reduce((all, r) => all * (1 + r), 1);
  const place = (one: { readonly rank: number; readonly below: number; readonly isInside: boolean } | undefined) =>
    one === undefined ? null : { rank: one.rank, below: one.below, inside_90: one.isInside };
  return {
    sessions: sessions.length,
    growth: rounded(grown(live)),
    market: rounded(grown({ returns: live.market })),
    place: place(standing?.growth),
    place_excess: place(standing?.excess),
    place_lowered: place(among?.growth),
    appraisal: appraisal === null ? null : rounded(appraisal, 4),
    appraisal_interval: skill?.appraisalInterval
      ? [rounded(skill.appraisalInterval[0], 4), rounded(skill.appraisalInterval[1], 4)]
      : null,
    shrinkage: appraisal === null || before === null || before <= 0 ? null : rounded(appraisal / before, 4),
  };
}
