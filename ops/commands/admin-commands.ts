/** `npm run ops -- admin …`: administrators and their passwords. */

import type { Command } from 'commander';
import { createAdmin, setAdminPassword } from '../../api/accounts/admins.ts';
import { toError } from '../../engine/util/thrown.ts';
import { clockOf } from '../config.ts';
import { operatorName } from './audited-command.ts';
import { emailOption, loginOption } from './options.ts';
import { addPasswordOptions, readPassword } from './password-input.ts';
import { fail, say, withTools } from './tools.ts';

interface CreateOptions {
  readonly email: string;
  readonly login: string;
  readonly passwordStdin: boolean;
}

type SetPasswordOptions = Omit<CreateOptions, 'login'>;

/** Null when there is none; the reason has been printed. */
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
  await withTools(async ({ config, pool }) => {
    const created = await createAdmin(pool, clockOf(config)(), { email, login, password }, operatorName());
    if (!created) return fail(`the login name "${login}" belongs to another account`);
    const { user, isNew } = created;
    say(`${user.email} (id ${user.id}) ${isNew ? 'was created as' : 'is now'} an administrator, login "${user.login}"`);
  });
}

async function setPassword({ email, ...input }: SetPasswordOptions): Promise<void> {
  const password = await passwordOrFail(input);
  if (password === null) return;
  await withTools(async ({ config, pool }) => {
    const user = await setAdminPassword(pool, clockOf(config)(), { email, password }, operatorName());
    if (!user) return fail(`no account has the e-mail ${email}`);
    if (!user.isAdmin) return fail(`${email} is no administrator; "admin create" makes one of the account`);
    const names = user.login === null ? user.email : `${user.email} or "${user.login}"`;
    say(
      `${user.email} (id ${user.id}) has a new password; log in as ${names}. All sessions of the account have ended.`,
    );
  });
}

export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description('Administrators');
  addPasswordOptions(
    admin
      .command('create')
      .description('Create an administrator or promote an existing account; asks for the password')
      .requiredOption('--email <email>', 'e-mail of the account', emailOption)
      .requiredOption('--login <name>', 'name for the login by password', loginOption),
  ).action(create);
  addPasswordOptions(
    admin
      .command('set-password')
      .description('Set the password of an administrator; asks for it')
      .requiredOption('--email <email>', 'e-mail of the account', emailOption),
  ).action(setPassword);
}
