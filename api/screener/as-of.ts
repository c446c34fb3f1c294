/**
 * Screens that need a job: those as of a past day, as they would have been seen then, including instruments that were delisted since; and
 * those whose rules or history need whole histories.
 */

import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectNearestSessions } from '../../db/market/loaded-sessions.ts';
import { type PastSnapshot, usePastSnapshot, usePastSnapshotById } from '../../db/market/snapshots.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { LoadName } from '../../jobs/contracts/load.ts';
import {
  type LongFigures,
  type ScreenedLoad,
  type ScreenHistory,
  type ScreenSpec,
  screenResultSchema,
  screenSpecSchema,
  versionOfLoad,
} from '../../jobs/contracts/screen.ts';
import { SNAPSHOT_FORMAT } from '../../jobs/contracts/snapshot.ts';
import type { z } from '../http/input/fields.ts';
import type { DirectoryItem } from '../market/directory.ts';
import { newestSessionOf, requireKept } from '../runs/as-of-load.ts';
import { requestRun } from '../runs/request.ts';
import type { Asked } from '../runs/routes.ts';
import { type DoneRun, isDone } from '../runs/state.ts';
import { readCallersScreen, readScreen, type ScreenRequest, screenerBody } from './request.ts';
import { longRulesOf, needsJob, sourceOf, wholeHistoriesOf } from './rule-source.ts';
import { requireFreshSnapshot, screenOver } from './run-screen.ts';
import type { screenerSchema } from './schemas.ts';
import type { ScreenCall, Services } from './services.ts';

type ScreenBody = z.output<typeof screenerBody>;
type ScreenResult = z.input<typeof screenerSchema>;
type AskedScreen = Asked<ScreenResult>;

/** Throws for a day without data. The error names the nearest session with data. */
async function assertSession(services: Services, day: Day): Promise<void> {
  const { before, after } = await nearestSessions(services, day);
  if (before === day) return;
  if (before === null && after === null) throw new ServiceError('snapshot_unavailable', services.market.whyNotReady);
  const nearest = before === null || (after !== null && after - day < day - before) ? after : before;
  throw new ServiceError('no_data_on_day', {
    date: formatDay(day),
    nearest: nearest === null ? '' : formatDay(nearest),
  });
}

function nearestSessions({ pool, now }: Services, day: Day) {
  const through = newestDistributableDay(now());
  return selectNearestSessions(pool, { day, through, consolidatedFrom: CONSOLIDATED_FROM });
}

/** The snapshot of a day over a version of the data (undefined: the current one); null if it has to be built. */
async function knownSnapshot({ pool, now }: Services, day: Day, version?: string): Promise<PastSnapshot | null> {
  const key = {
    day: formatDay(day),
    dataVersion: version ?? (await selectDataVersion(pool)),
    engineVersion: ENGINE_VERSION,
    format: SNAPSHOT_FORMAT,
  };
  return usePastSnapshot(pool, key, new Date(now()));
}

/** The snapshot and the figures that a screen evaluates. */
interface Screened {
  /** Null: the current one. */
  readonly snapshot: PastSnapshot | null;
  /** Null if the snapshot has enough bars for all rules. */
  readonly long: LongFigures | null;
  /** Null: not asked for. */
  readonly history: ScreenHistory | null;
  /** Null: no load was named. */
  readonly load: ScreenedLoad | null;
}

/** The snapshot that a finished run has built or found, with its figures. */
async function screenedByRun({ pool, now }: Services, summary: string, load: ScreenedLoad | null): Promise<Screened> {
  const { snapshot_id: id, ...figures } = screenResultSchema.parse(JSON.parse(summary));
  const snapshot = id === null ? null : await usePastSnapshotById(pool, id, new Date(now()));
  if (!snapshot && id !== null) throw new ServiceError('snapshot_unavailable');
  return { snapshot, load, ...figures };
}

/** Evaluates a screen on a snapshot. */
async function screenOn({ services, context }: ScreenCall, screened: Screened, body: ScreenBody) {
  const { snapshot, long, history, load } = screened;
  const { snapshots, pastSnapshots, market } = services;
  const loaded = snapshot ? await pastSnapshots.load(snapshot) : requireFreshSnapshot(snapshots, market);
  const request = readScreen(body, market.directory);
  const rules = sourceOf(longRulesOf(request), long);
  const answer = await screenOver(loaded, market, request, {
    locale: context.locale,
    asOf: snapshot && requireDay(snapshot.asOf),
    rules,
    history,
  });
  if (!load) return answer;
  const { data_version, snapshots: read } = load;
  return { ...answer, load: { data_version, snapshots: read } };
}

/** A screen as of a day: answered at once if the snapshot of the day is known, else by a job. */
export async function askedScreenAsOf(
  call: ScreenCall,
  day: Day,
  screen: ScreenBody,
  request: ScreenRequest,
): Promise<AskedScreen> {
  const { services, context } = call;
  await assertSession(services, day);
  const needed = wholeHistoriesOf(request);
  const known = context.isAsync || needsJob(needed) ? null : await knownSnapshot(services, day);
  if (known)
    return { answer: await screenOn(call, { snapshot: known, long: null, history: null, load: null }, screen) };
  return byJob(call, { asOf: formatDay(day), isPast: true, load: null, screen, ...needed }, screen);
}

/** A screen on the market as a load left it, at a session or (undefined) the newest of the load. Answered like one as of a day. */
export async function askedScreenAtLoad(
  call: ScreenCall,
  name: LoadName,
  day: Day | undefined,
  screen: ScreenBody,
  request: ScreenRequest,
): Promise<AskedScreen> {
  const { services, context } = call;
  const write = await requireKept(services.pool, name);
  const newest = await newestSessionOf(services, write);
  const session = day ?? requireDay(newest);
  if (session > requireDay(newest)) {
    throw new ServiceError('no_data_on_day', { date: formatDay(session), nearest: newest });
  }
  await assertSession(services, session);
  const load = { name, data_version: write.dataVersion, snapshots: Object.fromEntries(write.snapshots) };
  const needed = wholeHistoriesOf(request);
  const known =
    context.isAsync || needsJob(needed) ? null : await knownSnapshot(services, session, versionOfLoad(load));
  if (known) return { answer: await screenOn(call, { snapshot: known, long: null, history: null, load }, screen) };
  return byJob(call, { asOf: formatDay(session), isPast: true, load, screen, ...needed }, screen);
}

/** A screen of today whose rules or history need whole histories. */
export function askedLongScreen(call: ScreenCall, screen: ScreenBody, request: ScreenRequest): AskedScreen {
  const { snapshots, market } = call.services;
  const { asOf } = requireFreshSnapshot(snapshots, market).record;
  return byJob(call, { asOf, isPast: false, load: null, screen, ...wholeHistoriesOf(request) }, screen);
}

function byJob(call: ScreenCall, spec: ScreenSpec, screen: ScreenBody): AskedScreen {
  const show = async ({ result }: DoneRun) =>
    screenOn(call, await screenedByRun(call.services, result.summary, spec.load), screen);
  return { kind: 'screen', spec, show };
}

/** The result of a queued screen whose snapshot is built. */
export async function screenOfRun(call: ScreenCall, run: DoneRun): Promise<ScreenResult> {
  const { screen, load } = screenSpecSchema.parse(run.spec);
  const screened = await screenedByRun(call.services, run.result.summary, load);
  return screenOn(call, screened, screenerBody.parse(screen));
}

export interface ScreenedUniverse {
  /** The session whose figures were screened. */
  readonly asOf: Day;
  /** In the order of the screen, at most its limit. */
  readonly items: readonly DirectoryItem[];
}

/**
 * The instruments that a screen finds at the newest session through `day`: a universe for runs that begin after `day`, so that no later
 * data influences the choice. The call waits until the snapshot is built. Throws `snapshot_unavailable` if that takes longer than a
 * caller waits, and `no_data_on_day` if no session through `day` has data.
 */
export async function screenUniverse(call: ScreenCall, screen: ScreenBody, day: Day): Promise<ScreenedUniverse> {
  const { services, context, caller } = call;
  const { before: asOf, after } = await nearestSessions(services, day);
  if (asOf === null) {
    throw new ServiceError('no_data_on_day', { date: formatDay(day), nearest: after === null ? '' : formatDay(after) });
  }
  const long = longRulesOf(await readCallersScreen(call, screen));
  const snapshot = long === null ? await knownSnapshot(services, asOf) : null;
  let screened: Screened | null = snapshot && { snapshot, long: null, history: null, load: null };
  if (!screened) {
    const spec: ScreenSpec = { asOf: formatDay(asOf), isPast: true, load: null, screen, long, history: null };
    const run = await requestRun(services, context, caller, { kind: 'screen', spec, isAsync: false });
    if (!isDone(run)) throw new ServiceError('snapshot_unavailable');
    screened = await screenedByRun(services, run.result.summary, null);
  }
  const { items } = await screenOn(call, screened, screen);
  const byQualified = new Map(services.market.directory.items.map((item) => [item.qualified, item]));
  return {
    asOf,
    items: items.flatMap(({ symbol, current_symbol = symbol }) => byQualified.get(current_symbol) ?? []),
  };
}
