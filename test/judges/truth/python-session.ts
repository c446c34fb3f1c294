/** Processes of Python that each run several scripts, because importing their packages takes longer than the scripts do. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('suites/session.py', import.meta.url));

class Session {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly lines: AsyncIterator<string>;

  constructor(python: string) {
    this.child = spawn(python, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    // One that dies is reported by its missing answer.
    for (const part of [this.child, this.child.stdin]) part.on('error', () => {});
  }

  async run<T>(script: string, input: unknown): Promise<T> {
    this.child.stdin.write(`${script}\n${JSON.stringify(input)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${basename(script)} ended its process`);
    const answer = JSON.parse(value.slice(1));
    if (value.startsWith('!')) throw new Error(`${basename(script)} failed:\n${answer}`);
    return answer;
  }

  end(): void {
    this.child.stdin.end();
  }
}

/** Runs scripts that read one JSON value from standard input and write one to standard output, each when a process is free. */
export class PythonSessions {
  private readonly python: string;
  private readonly free: Session[] = [];

  /** `python`: the interpreter. */
  constructor(python: string) {
    this.python = python;
  }

  async run<T>(script: string, input: unknown): Promise<T> {
    const session = this.free.pop() ?? new Session(this.python);
    try {
      return await session.run(script, input);
    } finally {
      this.free.push(session);
    }
  }

  end(): void {
    for (const session of this.free.splice(0)) session.end();
  }
}
