/** The kinds of runs that assistants start: the operations of each, and what its result shows first. */
import type { RunKind } from '../../db/runs/runs.ts';
import { type Data, isData, pick, without } from './data.ts';
import { awaitedState, type OperationInput, type ToolContext } from './operations.ts';

/** Members of results that an assistant reads as parts. */
const LONG = ['klines', 'equity', 'receipt', 'disclaimer', 'cost', 'cached', 'created_at', 'venue_mode', 'positions'];
/** The judgement of a result: it is given whole or not at all. */
export const JUDGEMENT = ['statistics', 'selection', 'pbo', 'spa', 'step_m', 'haircuts', 'fdr', 'sentences'];

interface Kind {
  readonly start: string;
  readonly state: string;
  /** The name of the id in the path of the state. */
  readonly idName?: string;
  /** The operation that has the result, where the state has none. */
  readonly result?: string;
  /** The operation that has a kept result, and the name of its id. */
  readonly kept?: readonly [operationId: string, idName: string];
  readonly keptQuery?: OperationInput['query'];
  /** The page that shows a result. */
  readonly page?: string;
  /** Members of the body that a call need not give. */
  readonly defaults?: Data;
  /** The operation that cancels it, or its kind in the queue. */
  readonly cancel?: string;
  readonly queue?: RunKind;
  readonly shown?: (result: Data) => Data;
}

const WHOLE = { include_trades: true, include_equity: true };

const PORTFOLIO: Kind = {
  start: 'runPortfolio',
  queue: 'portfolio',
  state: 'getPortfolioJob',
  kept: ['getPortfolio', 'portfolio_id'],
  keptQuery: WHOLE,
  page: '/portfolio',
  shown: (result) => without(result, 'positions', 'cash'),
};

function eachIn(result: Data, name: string, shown: (one: Data) => Data): Data {
  const items = result[name];
  return Array.isArray(items) ? { ...result, [name]: items.filter(isData).map(shown) } : result;
}

function shownSearch(result: Data): Data {
  const names = ['sharpe', 'total_pnl_pct', 'max_drawdown_pct', 'num_trades'];
  return eachIn(without(result, 'heatmap'), 'best', ({ params, metrics }) => ({
    params,
    ...(isData(metrics) ? pick(metrics, ...names) : {}),
  }));
}

function shownStudy(result: Data): Data {
  return eachIn(without(result, 'correlations'), 'factors', (factor) => ({
    ...pick(factor, 'name'),
    ...eachIn(pick(factor, 'horizons'), 'horizons', ({ horizon, ic, spread }) => ({
      horizon,
      ic: isData(ic) ? pick(ic, 'mean', 't_overlap', 'positive_share') : null,
      spread: isData(spread) ? pick(spread, 'mean', 't_overlap') : null,
    })),
  }));
}

const MAX_EXTREMES = 3;

function shownOutcomes(result: Data): Data {
  const names = ['horizon', 'hits', 'mean', 'median', 'positive_share', 'excess', 'by'];
  const { best, worst } = result;
  const extremes = (items: unknown) => (Array.isArray(items) ? items.slice(0, MAX_EXTREMES) : items);
  const told = { ...without(result, 'path', 'question'), best: extremes(best), worst: extremes(worst) };
  return eachIn(told, 'horizons', (one) => pick(one, ...names));
}

const SKILL = ['beta', 'alpha_pct', 'alpha_t', 'psr', 'shown'];

function shownJudgement(result: Data): Data {
  return eachIn(without(result, 'account'), 'streams', (stream) => {
    const { tear_sheet: sheet, statistics } = stream;
    const returns = isData(sheet) && isData(sheet.returns) ? sheet.returns : {};
    return {
      ...pick(stream, 'name', 'first', 'last', 'periods'),
      ...pick(returns, 'total_pct', 'annual_return_pct', 'sharpe', 'max_drawdown_pct'),
      ...(isData(statistics) ? pick(statistics, 'psr') : {}),
      ...(isData(statistics) && isData(statistics.skill) ? { skill: pick(statistics.skill, ...SKILL) } : {}),
    };
  });
}

/** A record that goes on: its bands and curves are parts. */
function shownRecord({ kind, ...record }: Data): Data {
  return { of: kind, ...without(record, 'seal', 'bands', 'lowered_bands', 'before', 'after') };
}

const SWEPT = { state: 'getSweep', result: 'getSweepResult', idName: 'sweep_id' } as const;

export const KINDS = {
  backtest: {
    start: 'runBacktest',
    queue: 'backtest',
    state: 'getBacktestJob',
    kept: ['getBacktest', 'backtest_id'],
    keptQuery: WHOLE,
    page: '/backtest',
    defaults: { include_klines: false },
  },
  portfolio: PORTFOLIO,
  rotation: PORTFOLIO,
  optimize: {
    start: 'runOptimization',
    queue: 'optimize',
    state: 'getOptimizationJob',
    page: '/optimize',
    shown: shownSearch,
  },
  sweep: { start: 'runSweep', ...SWEPT, page: '/sweeps', cancel: 'deleteSweep' },
  factors: {
    start: 'runFactorStudy',
    state: 'getFactorStudy',
    result: 'getFactorStudyResult',
    idName: 'study_id',
    cancel: 'deleteFactorStudy',
    page: '/factors',
    shown: shownStudy,
  },
  outcomes: {
    start: 'runOutcomes',
    queue: 'outcomes',
    state: 'getOutcomesJob',
    kept: ['getOutcomes', 'outcomes_id'],
    page: '/outcomes',
    shown: shownOutcomes,
  },
  judge: { start: 'runJudgement', queue: 'judge', state: 'getJudgementJob', page: '/judge', shown: shownJudgement },
  forward: {
    start: 'sealRun',
    queue: 'seal',
    state: 'getSealJob',
    kept: ['getForwardRecord', 'forward_id'],
    page: '/forward',
    shown: shownRecord,
  },
  column: { start: 'updateColumn', queue: 'column', state: 'getColumnJob', page: '/columns' },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

const kindOf = (name: KindName): Kind => KINDS[name];

export function isKind(word: string): word is KindName {
  return Object.hasOwn(KINDS, word);
}

/** Whether a word names a kind whose results accounts keep. */
export function isKept(word: string): word is KindName {
  return isKind(word) && kindOf(word).kept !== undefined;
}

const UUID = /^[0-9a-f]{8}-/;

/** Parameters with which the page of a kind shows the result. */
function addressOf(kind: KindName, id: string, result: Data): Data {
  const { params } = result;
  if (kind === 'backtest') {
    return { ...pick(result, 'symbol', 'strategy', 'time_range'), ...(isData(params) ? params : {}), run: 1 };
  }
  if (kind === 'optimize') return { job: id };
  return typeof result.id === 'number' ? { id: result.id } : {};
}

/** Summarizes a result, with the address of its page. */
export function shownResult(kind: KindName, id: string, result: Data, { link }: ToolContext): Data {
  const { shown = (all) => all, page } = kindOf(kind);
  const { notes, data_freshness: freshness } = result;
  const messages = Array.isArray(notes) ? notes.filter(isData).map(({ message }) => message) : undefined;
  return {
    kind,
    id: typeof result.id === 'number' ? String(result.id) : id,
    ...(isData(freshness) ? pick(freshness, 'as_of') : {}),
    ...without(shown(result), ...LONG, 'id', 'notes', 'data_freshness'),
    ...(messages === undefined ? {} : { notes: messages }),
    ...(page === undefined ? {} : { page: link(page, addressOf(kind, id, result)) }),
  };
}

/** A run that has not ended, or that failed. */
export interface Unfinished extends Data {
  readonly kind: KindName;
  readonly id: string;
  readonly status: string;
}

export type Found = { readonly result: Data } | { readonly state: Unfinished };

/** The result of a run by the id of its job, or of a kept one; or how far it is after so many seconds. */
export async function findResult(
  kind: KindName,
  id: string,
  context: ToolContext,
  seconds = context.waitSeconds,
): Promise<Found> {
  const { call } = context;
  const { kept, keptQuery, state, idName = 'job_id', result: resultOperation } = kindOf(kind);
  if (kept !== undefined && !UUID.test(id)) {
    const [operationId, keptId] = kept;
    return { result: await call(operationId, { path: { [keptId]: id }, query: keptQuery }) };
  }
  if (kind === 'column' && !UUID.test(id)) return { result: await call('getColumn', { path: { name: id } }) };
  const path = { [idName]: id };
  const found = await awaitedState(
    (wait) => call(state, { path, query: { wait } }),
    ({ status, error }) => (status !== 'queued' && status !== 'running') || error !== null,
    seconds,
  );
  const { status, error, result } = found;
  if (isData(result)) return { result };
  if (status === 'done' && resultOperation !== undefined) return { result: await call(resultOperation, { path }) };
  const facts = { kind, id, status, ...pick(found, 'progress_pct') };
  return {
    state:
      error === null || error === undefined
        ? { ...facts, next: `read with kind ${kind} and id ${id}` }
        : { ...facts, error },
  };
}

/** Starts a run. Returns the id of its job. */
export async function startRun(kind: KindName, spec: Data, { call }: ToolContext, query = {}): Promise<string> {
  const { start, defaults } = kindOf(kind);
  const { job_id: id } = await call(start, { query, body: { ...defaults, ...spec }, isAsync: true });
  if (typeof id !== 'string') throw new Error(`${start} answered without a job`);
  return id;
}

/** Cancels a run as far as its kind can be: work in chunks at any time, another run until a worker has started it. */
export async function cancelRun(kind: KindName, id: string, { call, cancelQueued }: ToolContext): Promise<void> {
  const { cancel, queue, idName = 'job_id' } = kindOf(kind);
  if (cancel !== undefined) await call(cancel, { path: { [idName]: id } });
  if (queue !== undefined) await cancelQueued(queue, id);
}
