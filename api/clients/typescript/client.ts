/** The client: market data, and research that is queued and awaited. */
import { type Caller, type OperationOptions, openCaller } from './caller.ts';
import { download, type StoredFile, save } from './downloads.ts';
import { eventsOf } from './events.ts';
import { type HistoryQuery, historyOf } from './history.ts';
import { type Awaited, type Job, type JobOperation, openJob, type ResultOf, readerOf } from './jobs.ts';
import { addressOf, checkClientOptions, checkRunOptions, policyOf } from './options.ts';
import { itemsOf } from './pages.ts';
import { openTransport, type RetryPolicy, type TransportOptions, type Upload } from './transport.ts';
import type { BodyOf, Data, InputOf, ItemOf, OperationId, PagedOperation, QueryOf, Schema } from './types.ts';
import { upload } from './uploads.ts';
import { wholeMarketMethods } from './whole-market.ts';

export interface ClientOptions extends Partial<Pick<TransportOptions, 'url' | 'fetch'>> {
  /** An API key or access token. Default: `MARKET_API_KEY` of the environment; without a key the caller is a guest. */
  readonly key?: string;
  /** Language of texts: en, zh-CN, zh-TW. Default: that of the service. */
  readonly language?: string;
  /** Tries after the first one (default: 8), or the parts of the policy of retries. */
  readonly retries?: number | Partial<RetryPolicy>;
}

/** Work that is queued: call it to await the result, or `submit` it to get the job. */
export interface Queued<Spec, Result> {
  (spec: Spec, options?: Awaited): Promise<Result>;
  /** Queues without waiting. */
  readonly submit: (spec: Spec, options?: OperationOptions) => Promise<Job<Result>>;
  /** A job that was queued before, by its id. */
  readonly job: (id: string) => Job<Result>;
}

/** The body of portfolios that run beside each other. */
export type CompareBody = BodyOf<'runPortfolio'> & Required<Pick<BodyOf<'runPortfolio'>, 'compare'>>;

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** Opens a client. It holds no connection and need not be closed. Throws `InvalidOption`. */
export function openClient(options: ClientOptions = {}) {
  checkClientOptions(options);
  const { key = environment('MARKET_API_KEY'), fetch } = options;
  const [url, place] = options.url
    ? [options.url, 'url']
    : [environment('MARKET_API_URL') ?? DEFAULT_URL, 'MARKET_API_URL'];
  const headers: Record<string, string> = { 'X-Client-Kind': 'sdk' };
  if (key !== undefined) headers.Authorization = `Bearer ${key}`;
  if (options.language !== undefined) headers['Accept-Language'] = options.language;
  const caller = openCaller(
    openTransport({ url: addressOf(url, place), headers, fetch, retries: policyOf(options.retries) }),
  );
  const { call } = caller;
  const portfolios = queued(caller, 'runPortfolio', 'getPortfolioJob');
  return {
    /** Calls any operation of the interface description. */
    call,
    /** All items of an operation that returns pages. */
    items: <Id extends PagedOperation>(
      id: Id,
      input: InputOf<Id>,
      given?: OperationOptions,
    ): AsyncGenerator<ItemOf<Id>> => itemsOf(caller, id, input, given),
    /** The events of the account as they happen, without end. */
    stream: (given?: { readonly after?: number | null; readonly signal?: AbortSignal }) => eventsOf(caller, given),
    /** The newest session of an instrument. */
    quote: (symbol: string, given?: OperationOptions) => call('getQuote', { path: { symbol } }, given),
    /** Candles of an instrument by day, week, or month. */
    kline: (symbol: string, query: QueryOf<'getKline'> = {}, given?: OperationOptions) =>
      call('getKline', { path: { symbol }, query }, given),
    /** Candles of many instruments, 25 per call. */
    history: (symbols: readonly string[], query: HistoryQuery = {}, given?: OperationOptions) =>
      historyOf(caller, symbols, query, given),
    /** Quotes, candles, or static attributes of many symbols in one call. */
    batch: (body: BodyOf<'getBatch'>, given?: OperationOptions) => call('getBatch', { body }, given),
    events: (symbol: string, given?: OperationOptions) => call('listEvents', { path: { symbol } }, given),
    staticInfo: (symbol: string, given?: OperationOptions) => call('getStaticInfo', { path: { symbol } }, given),
    ...wholeMarketMethods(caller),
    symbols: (query: QueryOf<'searchSymbols'> = {}, given?: OperationOptions) =>
      call('searchSymbols', { query }, given),
    strategies: (given?: OperationOptions) => call('listStrategies', {}, given),
    /** Instruments of the whole market that meet conditions. */
    screen: (body: BodyOf<'runScreener'> = {}, given?: OperationOptions) => screened(caller, body, given),
    /** For thousands of runs, `include_statistics: false` makes each several times as fast; `sweep` and `optimize` take all in one call. */
    backtest: queued(caller, 'runBacktest', 'getBacktestJob'),
    /** One portfolio: of a strategy, of a rotation, or of weights that are held (`allocation.targets`) while money goes in and out. */
    portfolio: ofForm<Omit<BodyOf<'runPortfolio'>, 'compare'>, PortfolioAnswer, Schema<'PortfolioResult'>>(
      portfolios,
      (answer): answer is Schema<'PortfolioResult'> => !('runs' in answer),
    ),
    /** Two or three sets of weights in one job, which keeps none: `{ compare: [{ name, allocation }, …] }`. */
    comparePortfolios: ofForm<CompareBody, PortfolioAnswer, Schema<'ComparedPortfolios'>>(
      portfolios,
      (answer): answer is Schema<'ComparedPortfolios'> => 'runs' in answer,
    ),
    optimize: queued(caller, 'runOptimization', 'getOptimizationJob'),
    sweep: recorded(caller, 'Sweep', 'sweep_id'),
    ...factorMethods(caller),
    /** The tear sheet of a kept backtest: what it earned, for which risk, and how sure that is. */
    tearSheet: (backtest_id: number, query: QueryOf<'getBacktestTearSheet'> = {}, given?: OperationOptions) =>
      awaitedSheet(caller, call('getBacktestTearSheet', { path: { backtest_id }, query }, given), given),
    /** The same of a kept portfolio. */
    portfolioTearSheet: (
      portfolio_id: number,
      query: QueryOf<'getPortfolioTearSheet'> = {},
      given?: OperationOptions,
    ) => awaitedSheet(caller, call('getPortfolioTearSheet', { path: { portfolio_id }, query }, given), given),
    /** A query of the market in SQL. */
    sql: queued(caller, 'runQuery', 'getQueryJob'),
    ...evidenceMethods(caller),
    ...fileMethods(caller),
  };
}

export type Client = ReturnType<typeof openClient>;

function environment(name: string): string | undefined {
  return globalThis.process?.env[name] || undefined;
}

function factorMethods(caller: Caller) {
  return {
    /** Which values order the returns that follow. Where `series_in_file`, `save('downloadFactorSeries', …)` has the series. */
    factors: recorded(caller, 'FactorStudy', 'study_id'),
    /** Fifty published predictors beside what they give in this market: all stocks, through the last whole month. */
    claims: (given?: OperationOptions) => caller.call('listClaims', {}, given),
    /** The same over a universe and a range. At their published values they are no trials. */
    runClaims: queued(caller, 'runClaims', 'getClaimsJob'),
    /** The returns after a condition was true, as fractions, beside those of the others on the same days. */
    outcomes: queued(caller, 'runOutcomes', 'getOutcomesJob'),
  };
}

/** Forward records, by their id or the slug of a shared one, and the impact of corrections. */
function evidenceMethods(caller: Caller) {
  const { call } = caller;
  return {
    /** Seals a kept run, or a saved strategy with symbols: it goes on after each load, and nobody can change what it said. */
    seal: queued(caller, 'sealRun', 'getSealJob'),
    /** The forward records of the account, newest first. */
    forwardRecords: (given?: OperationOptions) => itemsOf(caller, 'listForwardRecords', {}, given),
    /** A forward record with its seal, bands, and curves. */
    forwardRecord: (
      record: number | string,
      given?: OperationOptions,
    ): Promise<Schema<'ForwardRecordDetail'> | Schema<'SharedForwardRecord'>> =>
      typeof record === 'number'
        ? call('getForwardRecord', { path: { forward_id: record } }, given)
        : call('getSharedForwardRecord', { path: { slug: record } }, given),
    /** Its entries, oldest first. */
    forwardEntries: (record: number | string, given?: OperationOptions): AsyncGenerator<Schema<'ForwardEntry'>> =>
      typeof record === 'number'
        ? itemsOf(caller, 'listForwardEntries', { path: { forward_id: record } }, given)
        : itemsOf(caller, 'listSharedForwardEntries', { path: { slug: record } }, given),
    /** Shares a record by a link, or revokes the link. */
    shareForward: (forward_id: number, shared = true, given?: OperationOptions) =>
      call('shareForwardRecord', { path: { forward_id }, body: { shared } }, given),
    /** Ends a record, which stays listed. */
    stopForward: (forward_id: number, given?: OperationOptions) =>
      call('stopForwardRecord', { path: { forward_id } }, given),
    /** Lists what corrections of bars and events changed of yours, the newest load first. */
    impact: (load?: number, given?: OperationOptions) => itemsOf(caller, 'listMyImpact', { query: { load } }, given),
    /** How many kept runs a load hit, and what it changed of those that are shared. */
    loadImpact: (load: number, given?: OperationOptions) => call('getLoadImpact', { path: { load } }, given),
  };
}

function fileMethods(caller: Caller) {
  return {
    /** Writes an own column from a file (CSV, NDJSON, Parquet, Arrow), and waits for the account of its lines. */
    putColumn: (name: string, file: Upload, query: QueryOf<'updateColumn'> = {}, given?: Awaited) =>
      upload(caller, 'updateColumn', 'getColumnJob', { path: { name }, query, file }, given),
    /**
     * Judges returns that were made elsewhere (CSV, NDJSON, Parquet, Arrow: `date`, and a column for each stream, as fractions): what they
     * earned beside a benchmark, how sure that is, and how good the best stream is after the choice. Nothing is kept.
     */
    judge: (file: Upload, query: QueryOf<'runJudgement'> = {}, given?: Awaited) =>
      upload(caller, 'runJudgement', 'getJudgementJob', { query, file }, given),
    /** The bytes of a stored file; a broken download is resumed. */
    download: <Id extends StoredFile>(id: Id, input: InputOf<Id>, given?: OperationOptions) =>
      download(caller, id, input, given),
    /** Saves a stored file, checked by its SHA-256. */
    save: <Id extends StoredFile>(id: Id, input: InputOf<Id>, file: string, given?: OperationOptions) =>
      save(download(caller, id, input, given), file),
  };
}

/** A sheet is made in a job, which may take longer than the call waits. */
async function awaitedSheet(
  caller: Caller,
  called: Promise<Data<'getBacktestTearSheet'>>,
  options?: OperationOptions,
): Promise<ResultOf<'getTearSheetJob'>> {
  const answer = await called;
  if (!('job_id' in answer)) return answer;
  return openJob(caller, answer.job_id, readerOf(caller, 'getTearSheetJob', answer.job_id)).result({
    signal: options?.signal,
  });
}

/** The snapshot of a past session is built in a job, which may take longer than the call waits. */
async function screened(
  caller: Caller,
  body: BodyOf<'runScreener'>,
  options?: OperationOptions,
): Promise<ResultOf<'getScreenerJob'>> {
  const answer = await caller.call('runScreener', { body }, options);
  if (!('job_id' in answer)) return answer;
  return openJob(caller, answer.job_id, readerOf(caller, 'getScreenerJob', answer.job_id)).result({
    signal: options?.signal,
  });
}

type RunOperation = Extract<
  OperationId,
  'runBacktest' | 'runPortfolio' | 'runOptimization' | 'runClaims' | 'runOutcomes' | 'runQuery' | 'sealRun'
>;

/**
 * Runs are queued first and then awaited, so that a lost connection or a restart of the service does no harm: the job continues,
 * and its call finds it again by the idempotency key.
 */
function queued<Run extends RunOperation, State extends JobOperation>(
  caller: Caller,
  run: Run,
  state: State,
): Queued<BodyOf<Run>, ResultOf<State>> {
  const job = (id: string) => openJob(caller, id, readerOf(caller, state, id));
  const submit = async (body: BodyOf<Run>, options: OperationOptions = {}) => {
    const headers = { ...options.headers, Prefer: 'respond-async' };
    const { job_id: id } = await caller.data(run, { body }, { ...options, headers });
    return job(id);
  };
  return Object.assign(awaited(submit), { submit, job });
}

type PortfolioAnswer = ResultOf<'getPortfolioJob'>;

/** Work whose results have one of several forms. A job with a result of another form throws `TypeError`. */
function ofForm<Spec, Any, Form extends Any>(
  work: Queued<Spec, Any>,
  hasForm: (result: Any) => result is Form,
): Queued<Spec, Form> {
  const checked = (result: Any): Form => {
    if (hasForm(result)) return result;
    throw new TypeError('the job was queued by another method');
  };
  const jobOf = ({ result, ...job }: Job<Any>): Job<Form> => ({
    ...job,
    result: async (options) => checked(await result(options)),
  });
  return Object.assign(async (spec: Spec, given?: Awaited) => checked(await work(spec, given)), {
    submit: async (spec: Spec, options?: OperationOptions) => jobOf(await work.submit(spec, options)),
    job: (id: string) => jobOf(work.job(id)),
  });
}

/** Submits, and awaits the result; `timeoutMs` is that of the job. */
function awaited<Spec, Result>(submit: (spec: Spec, options?: OperationOptions) => Promise<Job<Result>>) {
  return async (spec: Spec, given: Awaited = {}): Promise<Result> => {
    checkRunOptions(given);
    const { timeoutMs, onProgress, ...options } = given;
    const job = await submit(spec, options);
    return job.result({ timeoutMs, onProgress, signal: options.signal });
  };
}

/** Work whose result is not part of its state, but has its own path. */
function recorded<Noun extends 'Sweep' | 'FactorStudy'>(
  caller: Caller,
  noun: Noun,
  idName: string,
): Queued<BodyOf<`run${Noun}`>, Data<`get${Noun}Result`>> {
  const { data } = caller;
  const job = (id: string) =>
    openJob(caller, id, async (wait, options) => {
      const path = { [idName]: id };
      const { status, progress_pct: percent, error } = await data(`get${noun}`, { path, query: { wait } }, options);
      const result = status === 'done' ? await data(`get${noun}Result`, { path }, options) : null;
      return { status, percent, result, error: error && { message: error.message, key: error.key } };
    });
  const submit = async (body: BodyOf<`run${Noun}`>, options?: OperationOptions) => {
    const { job_id: id } = await data(`run${noun}`, { body }, options);
    return job(id);
  };
  return Object.assign(awaited(submit), { submit, job });
}
