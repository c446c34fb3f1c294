/** A process that answers questions, each a line of JSON: ours, or that of a peer. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { THREAD_LIMITS } from '../../../jobs/queue/thread-pool.ts';
import type { Question, Result, Run, Work } from './runs.ts';

const OURS = fileURLToPath(new URL('our-side.ts', import.meta.url));
/** The limit of a worker's threads as an argument of Node: three spaces of this size. */
const MEMORY_LIMIT = `--max-semi-space-size=${(THREAD_LIMITS.maxYoungGenerationSizeMb ?? 0) / 3}`;
const SHOWN_STDERR = 4_000;

/** The answer to a question, the error instead of it, or the version in the first line. */
interface Reply<T> {
  readonly version?: string;
  readonly answer: T;
  readonly error?: string;
}

export class Side {
  readonly name: string;
  version = '';
  /** Milliseconds from its start until it is ready to answer. */
  startMs = 0;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly lines: AsyncIterator<string>;
  private stderr = '';

  private constructor(name: string, command: string, args: readonly string[]) {
    this.name = name;
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.child.stderr.on('data', (text) => {
      this.stderr = `${this.stderr}${text}`.slice(-SHOWN_STDERR);
    });
    // A side that dies is reported by its missing answer.
    this.child.stdin.on('error', () => {});
    this.child.on('error', () => {});
  }

  static async start(name: string, command: string, args: readonly string[]): Promise<Side> {
    const start = performance.now();
    const side = new Side(name, command, args);
    const { version } = await side.reply();
    side.startMs = performance.now() - start;
    side.version = version ?? '';
    return side;
  }

  /** The engine of this project in a process as lean as a thread of a worker. */
  static startOurs(): Promise<Side> {
    return Side.start('ours', process.execPath, [MEMORY_LIMIT, OURS]);
  }

  private async reply<T>(): Promise<Reply<T>> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${this.name} has ended without an answer:\n${this.stderr}`);
    const reply: Reply<T> = JSON.parse(value);
    if (reply.error !== undefined) throw new Error(`${this.name} has failed:\n${reply.error}`);
    return reply;
  }

  private async ask<T>(question: Question): Promise<T> {
    this.child.stdin.write(`${JSON.stringify(question)}\n`);
    return (await this.reply<T>()).answer;
  }

  async load(instruments: Extract<Question, { ask: 'load' }>['instruments']): Promise<void> {
    await this.ask({ ask: 'load', instruments });
  }

  /** The run on each instrument. */
  trades(run: Run): Promise<Result[]> {
    return this.ask({ ask: 'trades', run });
  }

  /** Milliseconds, measured by the side itself. */
  time(work: Work): Promise<number> {
    return this.ask({ ask: 'time', ...work });
  }

  /** The largest resident memory since its start, in MB. */
  peakMb(): Promise<number> {
    return this.ask({ ask: 'memory' });
  }

  async end(): Promise<void> {
    const { child } = this;
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  }
}
