/** Keeps one process of each kind running: starts them, restarts those that die, and ends them in order. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { StartupError } from './startup-error.ts';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A process that lived this long starts again without delay. */
const STABLE_MS = 30_000;

interface Member {
  readonly name: string;
  child: ChildProcess | null;
  startedAt: number;
  delayMs: number;
}

export class Supervisor {
  private readonly members: Member[] = [];
  private readonly env: NodeJS.ProcessEnv;
  private readonly log: Logger;
  private isStopping = false;

  constructor(env: NodeJS.ProcessEnv, log: Logger) {
    this.env = env;
    this.log = log;
  }

  /** Starts `ops/<name>.ts` and resolves when it says that it is ready. */
  async start(name: string): Promise<void> {
    const member: Member = { name, child: null, startedAt: 0, delayMs: FIRST_DELAY_MS };
    this.members.push(member);
    this.launch(member);
    const ready = Promise.withResolvers<void>();
    member.child?.once('message', () => ready.resolve());
    member.child?.once('exit', (code) => {
      const why = new StartupError(`The ${name} process ended with code ${code} before it was ready.`);
      ready.reject(why);
    });
    await ready.promise;
  }

  private launch(member: Member): void {
    const entry = fileURLToPath(new URL(`./${member.name}.ts`, import.meta.url));
    member.startedAt = performance.now();
    const child = fork(entry, {
      env: this.env,
      // The child inherits the variables of the .env file, so that a restart does not need the file.
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--env-file')),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    member.child = child;
    child.once('exit', (code, signal) => {
      member.child = null;
      if (this.isStopping) return;
      if (performance.now() - member.startedAt > STABLE_MS) member.delayMs = FIRST_DELAY_MS;
      this.log.error({ member: member.name, code, signal, restartInMs: member.delayMs }, 'a process died');
      setTimeout(() => {
        if (!this.isStopping) this.launch(member);
      }, member.delayMs);
      member.delayMs = Math.min(MAX_DELAY_MS, member.delayMs * 2);
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(
      this.members.map(async ({ child }) => {
        if (!child) return;
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }),
    );
  }
}
