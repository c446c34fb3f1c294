/** Runs each query in a new process, which is ended afterwards. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toError } from '../../engine/util/errors.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { SQL_LIMITS, type SqlSpec } from '../contracts/sql.ts';
import { BEGUN, END, type SandboxReply, type SandboxRequest, WITHOUT_VIEWS } from './sandbox-protocol.ts';
import { type Sandbox, startSandbox, takeSandbox } from './spare.ts';

export type QueryOutcome =
  | SandboxReply
  | { readonly type: 'exceeded'; readonly limit: 'time' | 'memory' | 'columns' }
  | ({ readonly type: 'died' } & Death);

type Question = Pick<SqlSpec, 'query' | 'limit'>;

/** How the job of a query is told to end or to pause. */
export type QueryContext = Pick<JobContext, 'signal' | 'isPaused'>;

/** How a process ended without an answer. */
export interface Death {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of its standard error. */
  readonly stderr: string;
}

const POLL_MS = 50;
/** Nobody ends or pauses it. */
const FREELY: QueryContext = { signal: new AbortController().signal, isPaused: () => false };
const PAGE_BYTES = 4_096;
const STDERR_CHARS = 2_000;
/** Messages of a process that ran out of memory. */
const OUT_OF_MEMORY = /out of memory|bad_alloc|cannot allocate memory/i;

/** Runs a query on the files in `folder`, and on one of columns; `seconds`: without pauses. Rejects when the signal aborts. */
export async function runQuery(
  folder: string,
  question: Question,
  context: QueryContext,
  columns?: FileHandle,
): Promise<{ readonly outcome: QueryOutcome; readonly seconds: number }> {
  context.signal.throwIfAborted();
  const { child, hasWaited } = takeSandbox(folder, columns);
  const { hasBegun, ...answer } = await ask(child, question, context);
  return answer.outcome.type === 'died' && hasWaited && !hasBegun ? runQuery(folder, question, context) : answer;
}

/** Sends a request to a process and ends the process after its answer. `hasBegun`: it has read the request. */
export async function ask(
  child: Sandbox,
  { query, limit }: Question,
  { signal, isPaused }: QueryContext,
): Promise<{ readonly outcome: QueryOutcome; readonly seconds: number; readonly hasBegun: boolean }> {
  const request: SandboxRequest = { query, limit, resultMb: SQL_LIMITS.resultMb };
  const death = deathOf(child);
  child.stdin.on('error', () => {}); // It ended before it read its request; its output has the reason.
  child.stdin.end(JSON.stringify(request));
  let exceeded: 'time' | 'memory' | null = null;
  const kill = (limit: 'time' | 'memory') => {
    exceeded ??= limit;
    child.kill('SIGKILL');
  };
  const time = limitTime(child, isPaused, () => kill('time'));
  const watch = watchMemory(child, () => kill('memory'));
  const abort = () => child.kill('SIGKILL');
  signal.addEventListener('abort', abort);
  try {
    const output = await outputOf(child);
    signal.throwIfAborted();
    const ran = { seconds: time.seconds(), hasBegun: output.startsWith(BEGUN) };
    if (exceeded !== null) return { outcome: { type: 'exceeded', limit: exceeded }, ...ran };
    const isWhole = output.endsWith(END) && output.length > BEGUN.length;
    return { outcome: isWhole ? JSON.parse(output) : outcomeOf(await death), ...ran };
  } finally {
    time.end();
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}

const outcomeOf = (death: Death): QueryOutcome =>
  OUT_OF_MEMORY.test(death.stderr) ? { type: 'exceeded', limit: 'memory' } : { type: 'died', ...death };

/** Resolves when the process has ended and its standard error has been read. */
async function deathOf(child: Sandbox): Promise<Death> {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS);
  });
  // `outputOf` reports a process that could not be started.
  await once(child, 'close').catch(() => {});
  return { exitCode: child.exitCode, signal: child.signalCode, stderr: stderr.trim() };
}

/** Describes a death in one line, for the log and the doctor. */
export function describeDeath({ exitCode, signal, stderr }: Death): string {
  const how = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
  return `the process of a query ended ${how}${stderr === '' ? '' : `: ${stderr}`}`;
}

/** The output up to the end of the answer. The caller does not wait for the end of the process, which takes time to free its memory. */
async function outputOf(child: Sandbox): Promise<string> {
  child.once('error', (error) => child.stdout.destroy(error)); // It could not be started.
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk;
    if (chunk.endsWith(END) && output.length > BEGUN.length) break;
  }
  return output;
}

/** Stops a process while its job is paused, and calls `exceed` when it has run for as long as a query may. */
function limitTime(child: Sandbox, isPaused: () => boolean, exceed: () => void) {
  let [ranMs, since, isStopped] = [0, performance.now(), false];
  const count = () => {
    const now = performance.now();
    if (!isStopped) ranMs += now - since;
    since = now;
    return ranMs / 1_000;
  };
  const timer = setInterval(() => {
    if (count() > SQL_LIMITS.seconds) return exceed();
    if (isPaused() === isStopped) return;
    isStopped = !isStopped;
    child.kill(isStopped ? 'SIGSTOP' : 'SIGCONT');
  }, POLL_MS);
  return { seconds: count, end: () => clearInterval(timer) };
}

/** Calls `exceed` when the resident memory of a process is above the limit; only on systems with /proc. */
function watchMemory({ pid }: ChildProcess, exceed: () => void): NodeJS.Timeout {
  return setInterval(() => {
    readFile(`/proc/${pid}/statm`, 'utf8').then(
      (statm) => {
        const resident = Number(statm.split(' ')[1]) * PAGE_BYTES;
        if (resident > SQL_LIMITS.processMb * 2 ** 20) exceed();
      },
      () => {},
    );
  }, POLL_MS);
}

/** Why queries cannot be run; null: they can. */
export async function sqlProblem(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'sql-check-'));
  try {
    const child = startSandbox(folder, WITHOUT_VIEWS);
    const { outcome } = await ask(child, { query: 'select 1', limit: 1 }, FREELY);
    if (outcome.type === 'done') return null;
    return outcome.type === 'died' ? describeDeath(outcome) : JSON.stringify(outcome);
  } catch (error) {
    return toError(error).message;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
