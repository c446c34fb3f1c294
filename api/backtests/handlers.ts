/** Handlers of the routes of backtests. */
import { randomBytes } from 'node:crypto';
import { transaction } from '../../db/pool.ts';
import {
  deleteBacktest,
  type KeptKind,
  type SavedBacktest,
  selectBacktest,
  selectSharedBacktest,
  updateSharing,
} from '../../db/runs/kept-runs.ts';
import { selectBacktests } from '../../db/runs/run-list.ts';
import type { ResultPart, ServedResult } from '../../db/runs/run-results.ts';
import { isUnderWay, type Run, type RunKind, selectRun } from '../../db/runs/runs.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { BACKTEST_PARTS, type BacktestSpec } from '../../jobs/contracts/backtest.ts';
import { KEPT_PARTS, type PortfolioSpec } from '../../jobs/contracts/portfolio.ts';
import { enqueueRemoval } from '../../jobs/storage/enqueue.ts';
import { backtestPrefix } from '../../storage/keys.ts';
import type { AccountCaller, Caller } from '../access/caller.ts';
import { PLANS } from '../access/plans.ts';
import { localeOf, type RequestContext } from '../access/request-context.ts';
import { objectWith } from '../http/answer/long-json.ts';
import { type Accepted, FileStream, type JsonStream, JsonText } from '../http/answer/reply.ts';
import { withPermit } from '../http/fair-semaphore.ts';
import type { z } from '../http/input/fields.ts';
import { assertTimeRange } from '../http/input/ranges.ts';
import type { Locale } from '../http/language/locale.ts';
import { type Directory, readSymbol, symbolError } from '../market/directory.ts';
import { savedStrategyOf } from '../rules/resolve.ts';
import { backtestCsv } from './csv.ts';
import type { historyQuery } from './history-query.ts';
import { type BacktestRequest, backtestSpecOf, type Include } from './request.ts';
import { JOBS_PATH, ownerOf, PORTFOLIO_JOBS_PATH, requestRun } from './run.ts';
import { acceptedRun, runState } from './run-failure.ts';
import type { historySchema, sharingSchema } from './schemas.ts';
import type { Services } from './services.ts';
import {
  historyItem,
  type IsBeingLoaded,
  openPart,
  runResult,
  type Showing,
  savedResult,
  storedSummary,
} from './view.ts';

/** The part of a call that every handler here needs. */
export interface BacktestCall<C extends Caller = Caller, S extends Services = Services> {
  readonly services: S;
  readonly context: RequestContext;
  readonly caller: C;
}

type AccountCall = BacktestCall<AccountCaller>;

/** How a run that may be kept is queued and answered. */
export interface RunAnswer {
  readonly kind: KeptKind;
  readonly spec: BacktestSpec | PortfolioSpec;
  readonly save: boolean;
  /** Long parts of the answer. */
  readonly parts: readonly ResultPart[];
}

const JOBS_PATHS = { backtest: JOBS_PATH, portfolio: PORTFOLIO_JOBS_PATH } as const satisfies Record<KeptKind, string>;

export function partsOf(include: Include): readonly ResultPart[] {
  return BACKTEST_PARTS.filter((part) => include[part]);
}

export function isDone(run: Run): run is Run & { readonly result: ServedResult } {
  return run.status === 'done' && run.result !== null;
}

/** For the histories that backtests run on. */
export function isBeingLoaded({ market }: Pick<Services, 'market'>): IsBeingLoaded {
  return (ranges) => market.isBeingLoaded('spliced', ranges);
}

/** How results are shown to the caller of a call. */
function showingOf({ services, context, caller }: BacktestCall, locale: Locale): Showing {
  const { result_bytes_max: maxBytes } = PLANS[caller.plan].quotas;
  return {
    locale,
    isBeingLoaded: isBeingLoaded(services),
    maxBytes,
    headers: context.headers,
    inTurn: (pieces) => withPermit(services.longParts, caller.counter, context.abortSignal(), pieces),
  };
}

/** Runs a backtest: its result, or 202 with the location of the job. */
export async function answerBacktest(
  call: BacktestCall,
  request: BacktestRequest,
): Promise<JsonText | JsonStream | Accepted> {
  const own = await savedStrategyOf(call, request.rules);
  const spec = backtestSpecOf(request, call.services.market, own);
  const answer = { kind: 'backtest', spec, save: request.save, parts: partsOf(request.include) } as const;
  return answerRun(call, answer);
}

/** Runs what may be kept: its result, or 202 with where to ask for it. */
export async function answerRun(
  call: BacktestCall,
  { kind, spec, save, parts }: RunAnswer,
): Promise<JsonText | JsonStream | Accepted> {
  const { services, context, caller } = call;
  const { isAsync } = context;
  const run = await requestRun(services, context, caller, { kind, spec, save, isAsync });
  if (isDone(run) && !isAsync) return runResult(services.pool, run, parts, showingOf(call, context.locale));
  return acceptedRun(services.pool, run, JOBS_PATHS[kind], context.locale);
}

/** A run of the caller. While it is under way, waits until its state changes or `waitSeconds` are over. */
export async function ownRun(call: BacktestCall, kind: RunKind, jobId: string, waitSeconds: number): Promise<Run> {
  const { services, context, caller } = call;
  const owner = ownerOf(caller);
  const run = await selectRun(services.pool, jobId);
  if (run?.kind !== kind || run.owner !== owner) throw new ServiceError('not_found');
  if (waitSeconds === 0 || !isUnderWay(run)) return run;
  await services.backtests.changed(owner, run, waitSeconds * 1000, context.abortSignal());
  // It is gone where its account was deleted meanwhile.
  return found(await selectRun(services.pool, jobId));
}

/** The state of a run, for the caller who queued it. */
export async function jobState(
  call: BacktestCall,
  kind: KeptKind,
  jobId: string,
  waitSeconds: number,
): Promise<JsonText | JsonStream> {
  const run = await ownRun(call, kind, jobId, waitSeconds);
  const { locale } = call.context;
  const result = isDone(run)
    ? runResult(call.services.pool, run, KEPT_PARTS[kind], showingOf(call, locale))
    : new JsonText('null');
  return objectWith(await runState(call.services.pool, run, locale), [['result', result]]);
}

export async function history(
  { services, context, caller }: AccountCall,
  query: z.output<typeof historyQuery>,
): Promise<z.input<typeof historySchema>> {
  const { kind, symbol, strategy, start, end, page, page_size } = query;
  localeOf(query, context);
  assertTimeRange(start, end);
  const symbols = symbol === undefined ? undefined : symbolsMeant(services.market.directory, symbol);
  const filter = { kind: kind === 'all' ? undefined : kind, symbols, strategy, start, end };
  const { userId } = caller.account;
  const { total, items } = await selectBacktests(services.pool, userId, filter, { page, size: page_size });
  return { total, page, page_size, items: items.map(historyItem) };
}

/** The symbols by which a kept backtest may name the instrument: the one that was sent, and the current one. */
function symbolsMeant(directory: Directory, text: string): string[] {
  const parsed = readSymbol(directory, text);
  if (!parsed.ok) throw symbolError(parsed, text);
  const now = directory.bySymbol.get(parsed.ticker)?.qualified;
  return [qualifiedSymbol(parsed.ticker), ...(now === undefined ? [] : [now])];
}

/** The result that the caller keeps, by kind and id. */
export interface Kept {
  readonly kind: KeptKind;
  readonly id: number;
}

export async function ownBacktest({ services, caller }: AccountCall, { kind, id }: Kept): Promise<SavedBacktest> {
  return found(await selectBacktest(services.pool, { kind, userId: caller.account.userId, id }));
}

export async function savedBacktest(
  call: AccountCall,
  kept: Kept,
  parts: readonly ResultPart[],
  locale: Locale,
): Promise<JsonText | JsonStream> {
  return savedResult(call.services.storage, await ownBacktest(call, kept), parts, showingOf(call, locale));
}

export async function sharedBacktest(
  call: BacktestCall,
  shared: { readonly kind: KeptKind; readonly slug: string },
  locale: Locale,
): Promise<JsonText | JsonStream> {
  const { pool, storage } = call.services;
  const saved = found(await selectSharedBacktest(pool, shared));
  return savedResult(storage, saved, KEPT_PARTS[shared.kind], showingOf(call, locale), true);
}

/** Deletes the row at once, and queues a job that deletes the objects. */
export async function removeBacktest(
  { services, context, caller }: AccountCall,
  { kind, id }: Kept,
): Promise<{ deleted: true }> {
  const { pool, boss } = services;
  const { userId } = caller.account;
  await transaction(pool, async (connection) => {
    found(await deleteBacktest(connection, { kind, userId, id }));
    const removal = { prefix: backtestPrefix(userId, id), requestId: context.requestId };
    await enqueueRemoval(connection, boss, removal);
  });
  return { deleted: true };
}

const SLUG_BYTES = 9;

/** Where a shared run is shown. */
const SHARED_PAGES = { backtest: '/r', portfolio: '/p' } as const;

export async function shareBacktest(
  { services, caller }: AccountCall,
  { kind, id }: Kept,
  isShared: boolean,
): Promise<z.input<typeof sharingSchema>> {
  const { pool, publicApiBase } = services;
  const newSlug = randomBytes(SLUG_BYTES).toString('base64url');
  const saved = found(await updateSharing(pool, { kind, userId: caller.account.userId, id }, { isShared, newSlug }));
  const { slug } = saved;
  return {
    slug,
    shared: saved.isShared,
    url: saved.isShared ? `${publicApiBase}${SHARED_PAGES[kind]}/${slug}` : null,
    api_url: saved.isShared ? `${publicApiBase}/api/${kind}/shared/${slug}` : null,
  };
}

export async function exportBacktest(
  call: AccountCall,
  kept: Kept,
  { kind: part, format }: { readonly kind: ResultPart; readonly format: string },
  locale: Locale,
): Promise<FileStream> {
  if (format !== 'csv') throw new ServiceError('invalid_format', { value: format });
  const saved = await ownBacktest(call, kept);
  const content = backtestCsv(kept.kind, part, await openPart(call.services.storage, saved, part), locale);
  const { kind, summary } = storedSummary(saved);
  const name = [kind, kept.id, ...(kind === 'portfolio' ? [] : [summary.symbol]), summary.strategy, part];
  const receipt = summary.receipt ? `</v1/${kind}s/${kept.id}/receipt.json>; rel="describedby"` : null;
  return new FileStream(`${name.join('-')}.csv`, 'text/csv; charset=utf-8', content, receipt);
}
