/** Passwords for commands: typed at a prompt without echo, or from standard input; never an argument. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';

const MIN_CHARS = 8;
const MAX_CHARS = 1_000;

/** Declares `--password-stdin` and refuses `--password`, because anyone who can list processes sees arguments. */
export function addPasswordOptions(command: Command): Command {
  const refuse = () =>
    command.error(
      'error: --password would show the password to everybody on this machine; leave it out and type it at the prompt, or give it by --password-stdin',
      { exitCode: 2 },
    );
  return command
    .option('--password-stdin', 'read the password from standard input instead of asking for it', false)
    .addOption(command.createOption('--password [password]').hideHelp())
    .on('option:password', refuse);
}

/** Reads a password of 8 to 1,000 characters; throws an error that says why it is not accepted. */
export async function readPassword(isFromStdin: boolean): Promise<string> {
  const password = isFromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : await askTwice();
  if (password.length < MIN_CHARS || password.length > MAX_CHARS) {
    throw new Error(`the password needs ${MIN_CHARS} to ${MAX_CHARS} characters`);
  }
  return password;
}

async function askTwice(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('there is no terminal to ask for a password: give it by --password-stdin');
  const password = await ask('Password: ');
  if ((await ask('Again: ')) !== password) throw new Error('the two passwords are not the same');
  return password;
}

/** Asks on the terminal without echoing the input. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const interrupted = new AbortController();
  terminal.on('SIGINT', () => interrupted.abort());
  try {
    return await terminal.question('', { signal: interrupted.signal });
  } catch {
    throw new Error('interrupted');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
