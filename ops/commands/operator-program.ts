/** `npm run ops -- …`: the operator's tool, which works on the database of the service. */
import { Command } from 'commander';
import { migrate, migrationStatus, rollback } from '../../db/migrate.ts';
import { readNewestLoginCode } from '../../jobs/mail/mailer.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import { readConfigOrExit } from '../processes/process.ts';
import { outboxFolder } from '../settings.ts';
import { addAdminCommands } from './admin-commands.ts';
import { type Act, recordSchemaChange } from './audited-command.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addCalendarCommands } from './calendar-commands.ts';
import { addDoctorCommand, addVerifyCommand } from './check-commands.ts';
import { addClaimCommands } from './claim-commands.ts';
import { addColumnCommands } from './column-commands.ts';
import { addCompareCommand } from './compare-command.ts';
import { addDeployCommands } from './deploy-commands.ts';
import { addExportCommands } from './export-commands.ts';
import { addFactorCommands } from './factor-commands.ts';
import { addFilesCommands } from './files-command.ts';
import { addJobCommands } from './job-commands.ts';
import { addMarketCommands, addSnapshotCommands } from './market-commands.ts';
import { addSweepCommands } from './sweep-commands.ts';
import { addSyncCommands } from './sync-commands.ts';
import { emailOption, fail, say, withTools } from './tools.ts';

export const program = new Command('ops').description('Operate the market-data service').exitOverride();

program
  .command('login-code')
  .description('Show the code of the newest login mail to an address (mails in DATA_DIR/outbox only)')
  .argument('<email>', 'address of the recipient', emailOption)
  .action(async (email: string) => {
    const config = readConfigOrExit();
    if (config.SMTP_URL) return fail('mails are sent by SMTP_URL, so only the mailbox has the code');
    const sent = await readNewestLoginCode(outboxFolder(config), email);
    if (sent) say(`${sent.code}  (sent ${sent.sentAt})`);
    else fail(`no login mail to ${email} in ${outboxFolder(config)}`);
  });

addAdminCommands(program);
addSyncCommands(program);
addSnapshotCommands(program);
addCalendarCommands(program);
addJobCommands(program);
addExportCommands(program);
addSweepCommands(program);
addFactorCommands(program);
addClaimCommands(program);
addMarketCommands(program);
addBackupCommands(program);
addVerifyCommand(program);
addCompareCommand(program);
addFilesCommands(program);
addColumnCommands(program);

function schemaChange(action: 'database.migrate' | 'database.rollback', migrations: readonly string[]): Act {
  return { action, target: 'database', targetId: null, details: { migrations } };
}

const db = program.command('db').description('Database schema');
db.command('migrate')
  .description('Apply pending migrations and declare the queues')
  .action(() =>
    withTools(async (tools) => {
      const names = await migrate(tools.url);
      await declareQueues(tools.url);
      if (names.length > 0) await recordSchemaChange(tools, schemaChange('database.migrate', names));
      say(names.length > 0 ? `applied: ${names.join(', ')}` : 'nothing to apply');
    }),
  );
db.command('rollback')
  .description('Roll back the last batch of migrations')
  .action(() =>
    withTools(async (tools) => {
      const names = await rollback(tools.url);
      if (names === null)
        return fail('The first migration cannot be rolled back: every table would be dropped with its rows.');
      if (names.length > 0) await recordSchemaChange(tools, schemaChange('database.rollback', names));
      say(names.length > 0 ? `rolled back: ${names.join(', ')}` : 'nothing to roll back');
    }),
  );
db.command('status')
  .description('List applied and pending migrations')
  .action(() =>
    withTools(async ({ url }) => {
      const { applied, pending } = await migrationStatus(url);
      for (const name of applied) say(`applied  ${name}`);
      for (const name of pending) say(`pending  ${name}`);
    }),
  );

addDoctorCommand(program);
addDeployCommands(program);

// Run by `cli.ts`; here it is only listed.
program.command('api').description('Call a service over HTTP, like any client; see "ops api --help"');
// Last, so that only an unknown command lists all of them.
program.showHelpAfterError();
