/** `npm run ops -- doctor`: checks the installation and says what to do. */
import type { Command } from 'commander';
import { selectLastComparison } from '../../db/market/comparisons.ts';
import { describeComparison } from '../../jobs/compare/describe.ts';
import { describeFindings, isBroken, runDoctor } from '../doctor/doctor.ts';
import { hasEmbeddedDatabase } from '../embedded/embedded-postgres.ts';
import { readConfigOrExit } from '../processes/process.ts';
import { fail, say, withTools } from './tools.ts';

async function doctor(): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = readConfigOrExit();
  if (DATABASE_URL === undefined && !hasEmbeddedDatabase(DATA_DIR)) {
    return fail(
      `There is no service here: ${DATA_DIR} has no database. Run "npm start" to set one up, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  await withTools(async ({ config, url, pool, now }) => {
    const findings = await runDoctor({ config, url, pool, now });
    for (const line of describeFindings(findings)) say(line);
    const last = await selectLastComparison(pool).catch(() => null);
    if (last?.result) say(`\n${describeComparison(last, last.result)[0]}`);
    if (findings.some(isBroken)) process.exitCode = 1;
  });
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check database, processes, queue, storage, provider and data, and say what to do')
    .action(doctor);
}
