/** Keeps processes running: starts them, restarts those that die, and ends them in order. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { StartupError } from '../startup-error.ts';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A process that lived this long starts again without delay. */
const STABLE_MS = 30_000;

/** Starts a process, with a channel on which it sends `{ type: 'ready' }`. */
type Launch = () => ChildProcess;

interface Member {
  readonly name: string;
  readonly launch: Launch;
  child: ChildProcess | null;
  startedAt: number;
  delayMs: number;
}

export interface Supervisor {
  /** Starts a process and resolves when it says that it is ready. Rejects with a `StartupError` if it ends before that. */
  start(name: string, launch: Launch): Promise<void>;
  /** Ends all processes in order. */
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
 * MB. By default a start lets the two semi-spaces of V8 grow to 32 MB each, and they stay. Under 35,000 calls a second the collections
 * of 8 MB cost a tenth to a sixth more processor time than those of 32, and 16 MB save little of it; with 2 a call alone costs more too.
 */
const SEMI_SPACE_MB = 8;
/** For processes whose end is not awaited. */
const SMALL_SEMI_SPACE_MB = 2;

/** By default glibc keeps up to eight heaps for each core, one for each thread that ever asked for memory. */
const ONE_HEAP = { MALLOC_ARENA_MAX: '1' };
/** For a worker, whose threads compute at once. */
const TWO_HEAPS = { MALLOC_ARENA_MAX: '2' };

/** Arguments of Node for children. They inherit the variables of the .env file, so that a restart does not need the file. */
export function inheritedArguments(semiSpaceMb = SEMI_SPACE_MB): string[] {
  const inherited = process.execArgv.filter((argument) => !argument.startsWith('--env-file'));
  return [`--max-semi-space-size=${semiSpaceMb}`, ...inherited];
}

/** How Node starts a child. */
export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: string[];
}

/** How an API process starts with `env`: in the service, in a group, and in benchmarks. */
export function apiOptions(env: NodeJS.ProcessEnv): ChildOptions {
  return { env: { ...ONE_HEAP, ...env }, execArgv: inheritedArguments() };
}

/** How a worker process starts with `env`: in the service and in benchmarks. */
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
