/** `npm run ops -- doctor` checks the installation; `verify` computes kept backtests again and explains the differences. */
import type { Command } from 'commander';
import { hasEmbeddedDatabase } from '../../db/embedded-postgres.ts';
import { selectLastComparison } from '../../db/market/comparisons.ts';
import { selectDataVersion } from '../../db/market/data-versions.ts';
import { selectKeptById } from '../../db/runs/verdicts.ts';
import { describeComparison } from '../../jobs/compare/describe.ts';
import { verifyAll, verifyKept } from '../../jobs/evidence/verify.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { describeFindings, isBroken, runDoctor } from '../doctor/doctor.ts';
import { readConfigOrExit } from '../processes/process.ts';
import { storageSettings } from '../settings.ts';
import { fail, idArgument, say, type Tools, tableOf, withTools } from './tools.ts';

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

/** Backtests between two lines of progress. */
const PROGRESS_EVERY = 500;

function contextOf({ config, pool, now }: Tools) {
  const { signal } = new AbortController();
  return { pool, storage: openStorage(storageSettings(config)), now, signal, rotationBars: config.ROTATION_BARS };
}

async function verifyEach(tools: Tools): Promise<void> {
  const counts = new Map<string, number>();
  let done = 0;
  await verifyAll(contextOf(tools), await selectDataVersion(tools.pool), ({ id }, verdict) => {
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    if (verdict === 'unexplained') say(`backtest ${id}: differs without an explanation`);
    if (++done % PROGRESS_EVERY === 0) say(`${done} verified`);
  });
  if (done === 0) return say('there are no kept backtests');
  say(tableOf(['verdict', 'backtests'], [...counts].sort()));
  if (counts.has('unexplained')) fail('some differences are unexplained; see ops/docs/RUNBOOK.md#evidence');
}

async function verifyOne(tools: Tools, id: number): Promise<void> {
  const saved = await selectKeptById(tools.pool, id);
  if (!saved) return fail(`there is no kept backtest ${id}`);
  const found = await verifyKept(contextOf(tools), saved, await selectDataVersion(tools.pool));
  say(`backtest ${id}: ${found.verdict}`);
  const changed = found.metrics.filter(({ was, is }) => was !== is);
  if (changed.length > 0)
    say(
      tableOf(
        ['metric', 'was', 'is'],
        changed.map(({ name, was, is }) => [name, was, is]),
      ),
    );
}

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('Compute kept backtests again and explain the differences')
    .argument('[id]', 'a kept backtest', idArgument)
    .option('--all', 'every kept backtest')
    .action(async (id: number | undefined, { all }: { readonly all?: true }) => {
      if ((id === undefined) === (all === undefined)) return fail('name a kept backtest, or all of them with --all');
      await withTools((tools) => (id === undefined ? verifyEach(tools) : verifyOne(tools, id)));
    });
}
