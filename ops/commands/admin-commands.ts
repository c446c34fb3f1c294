/** `npm run ops -- admin …`: administrators and their passwords. */
import { text } from 'node:stream/consumers';
import ask from '@inquirer/password';
import { Argument, type Command } from 'commander';
import { createAdmin, setAccountPlan, setAdminPassword } from '../../api/accounts/admins.ts';
import { USER_PLANS, type UserPlan } from '../../db/accounts/users.ts';
import { toError } from '../../engine/util/errors.ts';
import { operatorName } from './audited-command.ts';
import { emailOption, fail, loginOption, say, withTools } from './tools.ts';

const MIN_CHARS = 8;
const MAX_CHARS = 1_000;
/** Prompts go to standard error, because standard output may be piped. */
const TERMINAL = { output: process.stderr };

/** Declares `--password-stdin`, and refuses `--password`, because everyone who can list processes sees arguments. */
function addPasswordOptions(command: Command): Command {
  const refuse = () =>
    command.error(
      'error: --password would show the password to everybody on this machine; omit it to type it at the prompt, or use --password-stdin',
      { exitCode: 2 },
    );
  return command
    .option('--password-stdin', 'read the password from standard input instead of asking for it', false)
    .addOption(command.createOption('--password [password]').hideHelp())
    .on('option:password', refuse);
}

/** Reads a password. Throws an error with the reason when it is not accepted. */
async function readPassword(isFromStdin: boolean): Promise<string> {
  const password = isFromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : await askTwice();
  if (password.length < MIN_CHARS || password.length > MAX_CHARS) {
    throw new Error(`the password needs ${MIN_CHARS} to ${MAX_CHARS} characters`);
  }
  return password;
}

async function askTwice(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('there is no terminal to ask for a password: use --password-stdin');
  const password = await ask({ message: 'Password:' }, TERMINAL);
  if ((await ask({ message: 'Again:' }, TERMINAL)) !== password) throw new Error('the two passwords are not the same');
  return password;
}

interface CreateOptions {
  readonly email: string;
  readonly login: string;
  readonly passwordStdin: boolean;
}

type SetPasswordOptions = Omit<CreateOptions, 'login'>;

/** Null: no password was accepted, and the reason has been printed. */
async function passwordOrFail({ passwordStdin }: Pick<CreateOptions, 'passwordStdin'>): Promise<string | null> {
  try {
    return await readPassword(passwordStdin);
  } catch (error) {
    fail(toError(error).message);
    return null;
  }
}

async function create({ email, login, ...input }: CreateOptions): Promise<void> {
  const password = await passwordOrFail(input);
  if (password === null) return;
  await withTools(async ({ pool, now }) => {
    const created = await createAdmin(pool, now(), { email, login, password }, operatorName());
    if (!created) return fail(`the login name "${login}" belongs to another account`);
    const { user, isNew } = created;
    say(`${user.email} (id ${user.id}) ${isNew ? 'was created as' : 'is now'} an administrator, login "${user.login}"`);
  });
}

async function setPassword({ email, ...input }: SetPasswordOptions): Promise<void> {
  const password = await passwordOrFail(input);
  if (password === null) return;
  await withTools(async ({ pool, now }) => {
    const user = await setAdminPassword(pool, now(), { email, password }, operatorName());
    if (!user) return fail(`no account has the e-mail ${email}`);
    if (!user.isAdmin) return fail(`${email} is not an administrator; "admin create" promotes the account`);
    const names = user.login === null ? user.email : `${user.email} or "${user.login}"`;
    say(
      `${user.email} (id ${user.id}) has a new password; log in as ${names}. All sessions of the account have ended.`,
    );
  });
}

async function setPlan(email: string, plan: UserPlan): Promise<void> {
  await withTools(async ({ pool, now }) => {
    const user = await setAccountPlan(pool, now(), { email, plan }, operatorName());
    if (user) say(`${user.email} (id ${user.id}) has the plan ${user.plan}, without an end`);
    else fail(`no account has the e-mail ${email}`);
  });
}

export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description('Administrators');
  addPasswordOptions(
    admin
      .command('create')
      .description(
        'Create an administrator of the plan enterprise or promote an existing account; asks for the password',
      )
      .requiredOption('--email <email>', 'e-mail of the account', emailOption)
      .requiredOption('--login <name>', 'name for the login by password', loginOption),
  ).action(create);
  addPasswordOptions(
    admin
      .command('set-password')
      .description('Set the password of an administrator; asks for it')
      .requiredOption('--email <email>', 'e-mail of the account', emailOption),
  ).action(setPassword);
  program
    .command('account')
    .description('Accounts')
    .command('plan')
    .description('Give an account a plan')
    .argument('<email>', 'e-mail of the account', emailOption)
    .addArgument(new Argument('<plan>', 'the plan').choices([...USER_PLANS]))
    .action(setPlan);
}
