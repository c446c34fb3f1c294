/** Runs a query in a process of its own, which ends with it, whatever it does. */
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { SQL_LIMITS, type SqlSpec } from './contract.ts';
import { BEGUN, END, type SandboxReply, type SandboxRequest } from './sandbox-protocol.ts';
import { type Sandbox, takeSandbox } from './spare.ts';

export type QueryOutcome =
  | SandboxReply
  | { readonly type: 'exceeded'; readonly limit: 'time' | 'memory' }
  | { readonly type: 'died' };

const LOOK_MS = 50;
const PAGE_BYTES = 4_096;

/** `folder` has the files. Rejects when `signal` aborts. */
export async function runQuery(folder: string, { query, limit }: SqlSpec, signal: AbortSignal): Promise<QueryOutcome> {
  signal.throwIfAborted();
  const { child, hasWaited } = takeSandbox(folder);
  const { resultMb, seconds } = SQL_LIMITS;
  const request: SandboxRequest = { query, limit, resultMb };
  child.stdin.on('error', () => {}); // It ended before it has read its request, which its output tells.
  child.stdin.end(JSON.stringify(request));
  let exceeded: 'time' | 'memory' | null = null;
  const kill = (why: 'time' | 'memory') => {
    exceeded ??= why;
    child.kill('SIGKILL');
  };
  const patience = setTimeout(() => kill('time'), seconds * 1000);
  const watch = watchMemory(child, () => kill('memory'));
  const abort = () => child.kill('SIGKILL');
  signal.addEventListener('abort', abort);
  try {
    const output = await outputOf(child);
    signal.throwIfAborted();
    if (exceeded !== null) return { type: 'exceeded', limit: exceeded };
    if (hasWaited && !output.startsWith(BEGUN)) return runQuery(folder, { query, limit }, signal);
    return output.endsWith(END) && output.length > BEGUN.length ? JSON.parse(output) : { type: 'died' };
  } finally {
    clearTimeout(patience);
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
  }
}

/** The output of a process up to the end of its answer: the caller does not wait for the process to give back its memory. */
async function outputOf(child: Sandbox): Promise<string> {
  child.once('error', (error) => child.stdout.destroy(error)); // It could not be started.
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk;
    if (chunk.endsWith(END) && output.length > BEGUN.length) break;
  }
  return output;
}

/** Looks at the resident memory of a process, where the system tells it. */
function watchMemory({ pid }: ChildProcess, tooMuch: () => void): NodeJS.Timeout {
  return setInterval(() => {
    readFile(`/proc/${pid}/statm`, 'utf8').then(
      (statm) => {
        const resident = Number(statm.split(' ')[1]) * PAGE_BYTES;
        if (resident > SQL_LIMITS.processMb * 2 ** 20) tooMuch();
      },
      () => {},
    );
  }, LOOK_MS);
}
