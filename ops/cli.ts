/** `npm run ops -- …`: the operator's tool. */
import './node-version.ts';
import { Command } from 'commander';
import { createAdmin, type NewAdmin } from '../api/accounts/admins.ts';
import { migrate, migrationStatus, rollback } from '../db/migrate.ts';
import { readNewestLoginCode } from '../jobs/mail/outbox.ts';
import { installQueue } from '../jobs/queue/boss.ts';
import { addCalendarCommands } from './calendar-commands.ts';
import { clockOf } from './config.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addExportCommands } from './export-commands.ts';
import { addJobCommands } from './job-commands.ts';
import { addMarketCommands } from './market-commands.ts';
import { emailOption, loginOption, passwordOption } from './options.ts';
import { readConfigOrExit } from './process.ts';
import { outboxFolder } from './settings.ts';
import { addSnapshotCommands } from './snapshot-commands.ts';
import { addSyncCommands } from './sync-commands.ts';
import { fail, runProgram, say, withTools } from './tools.ts';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const program = new Command('ops').description('Operate the market-data service').exitOverride();

const admin = program.command('admin').description('Administrators');
admin
  .command('create')
  .description('Create an administrator, or make one of an existing account')
  .requiredOption('--email <email>', 'e-mail of the account', emailOption)
  .requiredOption('--login <name>', 'name for the login by password', loginOption)
  .requiredOption('--password <password>', 'at least 8 characters', passwordOption)
  .action((options: NewAdmin) =>
    withTools(async ({ config, pool }) => {
      const created = await createAdmin(pool, clockOf(config)(), options);
      if (!created) return fail(`the login name "${options.login}" belongs to another account`);
      const { user, isNew } = created;
      say(
        `${user.email} (id ${user.id}) ${isNew ? 'was created as' : 'is now'} an administrator, login "${user.login}"`,
      );
    }),
  );

program
  .command('login-code')
  .description('Show the code of the newest login mail to an address (mails in DATA_DIR/outbox only)')
  .argument('<email>', 'where it was sent', emailOption)
  .action(async (email: string) => {
    const config = readConfigOrExit();
    if (config.SMTP_URL) return fail('mails go out by SMTP_URL: the code is in the mailbox only');
    const sent = await readNewestLoginCode(outboxFolder(config), email);
    if (sent) say(`${sent.code}  (sent ${sent.sentAt})`);
    else fail(`no login mail to ${email} in ${outboxFolder(config)}`);
  });

addSyncCommands(program);
addSnapshotCommands(program);
addCalendarCommands(program);
addJobCommands(program);
addExportCommands(program);
addMarketCommands(program);

const db = program.command('db').description('Database schema');
db.command('migrate')
  .description('Apply pending migrations and declare the queues')
  .action(() =>
    withTools(async ({ url }) => {
      const names = await migrate(url);
      await installQueue(url);
      say(names.length > 0 ? `applied: ${names.join(', ')}` : 'nothing to apply');
    }),
  );
db.command('rollback')
  .description('Take back the last batch of migrations')
  .action(() =>
    withTools(async ({ url }) => {
      const names = await rollback(url);
      say(names.length > 0 ? `taken back: ${names.join(', ')}` : 'nothing to take back');
    }),
  );
db.command('status')
  .description('Applied and pending migrations')
  .action(() =>
    withTools(async ({ url }) => {
      const { applied, pending } = await migrationStatus(url);
      for (const name of applied) say(`applied  ${name}`);
      for (const name of pending) say(`pending  ${name}`);
    }),
  );

addDoctorCommand(program);

await runProgram(program);
