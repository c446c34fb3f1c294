/** Passwords for commands: typed at a prompt without echo, or from standard input; never an argument. */
import { text } from 'node:stream/consumers';
import ask from '@inquirer/password';
import type { Command } from 'commander';

const MIN_CHARS = 8;
const MAX_CHARS = 1_000;
/** Answers on standard output are for pipes. */
const TERMINAL = { output: process.stderr };

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
  const password = await ask({ message: 'Password:' }, TERMINAL);
  if ((await ask({ message: 'Again:' }, TERMINAL)) !== password) throw new Error('the two passwords are not the same');
  return password;
}
