/** Starts processes, restarts those that die, and stops them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { StartupError } from '../startup-error.ts';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** After a process has run for so long, the restart delay is reset. */
const STABLE_MS = 30_000;

/** Starts a process that sends `{ type: 'ready' }` over its channel. */
type Launch = () => ChildProcess;

interface Member {
  readonly name: string;
  readonly launch: Launch;
  child: ChildProcess | null;
  startedAt: number;
  delayMs: number;
}

export interface Supervisor {
  /** Starts a process and resolves when it is ready. Rejects with a `StartupError` if it ends before. */
  start(name: string, launch: Launch): Promise<void>;
  /** Stops all processes and waits for their ends. */
  stop(): Promise<void>;
}

export function createSupervisor(log: Logger): Supervisor {
  const members: Member[] = [];
  let isStopping = false;

  function launch(member: Member): ChildProcess {
    member.startedAt = performance.now();
    const child = member.launch();
    member.child = child;
    child.once('exit', (code, signal) => {
      member.child = null;
      if (isStopping) return;
      if (performance.now() - member.startedAt > STABLE_MS) member.delayMs = FIRST_DELAY_MS;
      log.error({ member: member.name, code, signal, restartInMs: member.delayMs }, 'a process died');
      setTimeout(() => {
        if (!isStopping) launch(member);
      }, member.delayMs);
      member.delayMs = Math.min(MAX_DELAY_MS, member.delayMs * 2);
    });
    return child;
  }

  return {
    async start(name, launchChild) {
      const member: Member = { name, launch: launchChild, child: null, startedAt: 0, delayMs: FIRST_DELAY_MS };
      members.push(member);
      const child = launch(member);
      const ready = Promise.withResolvers<void>();
      child.on('message', (message) => {
        if (isReady(message)) ready.resolve();
      });
      child.once('exit', (code) => {
        ready.reject(new StartupError(`The ${name} process ended with code ${code} before it was ready.`));
      });
      await ready.promise;
    },

    async stop() {
      isStopping = true;
      await Promise.all(
        members.map(async ({ child }) => {
          if (!child) return;
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          await ended;
        }),
      );
    },
  };
}

function isReady(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}

/** The file of a process of this folder. */
export function entryOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
}

/**
 * By default V8's two semi-spaces grow to 32 MB each during a start and do not shrink. At 35,000 calls per second 8 MB need 10 to 17 %
 * more processor time than 32 MB, and 16 MB hardly less than 8; with 2 MB even single calls need more.
 */
const SEMI_SPACE_MB = 8;
/** For processes whose response time does not matter. */
const SMALL_SEMI_SPACE_MB = 2;

/** By default glibc keeps up to eight heaps per core for the threads of a process. */
const ONE_HEAP = { MALLOC_ARENA_MAX: '1' };
/** For a worker, whose threads compute at the same time. */
const TWO_HEAPS = { MALLOC_ARENA_MAX: '2' };

/** Node's arguments for children, without the .env file, whose variables they inherit. */
export function inheritedArguments(semiSpaceMb = SEMI_SPACE_MB): string[] {
  const inherited = process.execArgv.filter((argument) => !argument.startsWith('--env-file'));
  return [`--max-semi-space-size=${semiSpaceMb}`, ...inherited];
}

/** How Node starts a child. */
export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: string[];
}

/** Options of an API process: in the service, in a group, and in benchmarks. */
export function apiOptions(env: NodeJS.ProcessEnv): ChildOptions {
  return { env: { ...ONE_HEAP, ...env }, execArgv: inheritedArguments() };
}

/** Options of a worker: in the service and in benchmarks. */
export function workerOptions(env: NodeJS.ProcessEnv): ChildOptions {
  return { env: { ...TWO_HEAPS, ...env }, execArgv: inheritedArguments() };
}

export function schedulerOptions(env: NodeJS.ProcessEnv): ChildOptions {
  return { env: { ...ONE_HEAP, ...env }, execArgv: inheritedArguments(SMALL_SEMI_SPACE_MB) };
}

export const CHILD_STDIO: ('ignore' | 'inherit' | 'ipc')[] = ['ignore', 'inherit', 'inherit', 'ipc'];

/** Starts `ops/processes/<name>.ts`. */
export function forkProcess(name: string, options: ChildOptions): ChildProcess {
  return fork(entryOf(name), { ...options, stdio: CHILD_STDIO });
}
