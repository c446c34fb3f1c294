/**
 * `npm run truth [-- --only SUITE] [--quick [--seed TEXT]] [--json] [--record]`: figures of other programs beside ours. Ends with 1
 * if one differs unexplained.
 */
import '../../../ops/node-version.cjs';
import { execFileSync } from 'node:child_process';
import { Command, Option } from 'commander';
import type { Verdict } from '../../../api/site/truth.ts';
import { someAtOnce } from '../../../jobs/providers/mirror.ts';
import { PythonUnavailable } from '../../support/python-environment.ts';
import { type Skipped, toTable, writeDocument, writeRecord } from './report.ts';
import { chooseAll, chooseFew, type Disagreement, endSessions, runSuite, type Suite } from './suite.ts';
import { SUITES } from './suites/index.ts';

const SHOWN_DISAGREEMENTS = 10;

const command = new Command('truth')
  .addOption(new Option('--only <suite>', 'one suite').choices(SUITES.map(({ name }) => name)))
  .option('--quick', 'every suite, with a few of its instruments, runs, and windows')
  .addOption(new Option('--seed <text>', 'which few a quick run takes').default('0'))
  .option('--json', 'print one object')
  .option('--record', 'write the results to the page and the document')
  .parse();

interface Options {
  readonly only?: string;
  readonly quick?: boolean;
  readonly seed: string;
  readonly json?: boolean;
  readonly record?: boolean;
}

const { only, quick = false, seed, json = false, record = false } = command.opts<Options>();
if (record && (only || quick)) command.error('error: --record needs all suites whole, without --only and --quick');
const choose = quick ? chooseFew(seed) : chooseAll;

const progress = (line: string) => void process.stderr.write(`${line}\n`);
const verdicts = new Map<Suite, Verdict>();
const skipped: Skipped[] = [];
let isAnyDifferent = false;

function show(suite: Suite, disagreements: readonly Disagreement[]) {
  if (disagreements.length === 0) return;
  isAnyDifferent = true;
  progress(`${suite.name}: ${disagreements.length} figures differ, and nothing explains it`);
  for (const { name, theirs, ours, difference } of disagreements.slice(0, SHOWN_DISAGREEMENTS))
    progress(`  ${name}: theirs ${theirs}, ours ${ours} (${difference.toExponential(1)})`);
}

const asked = SUITES.filter(({ name }) => only === undefined || name === only);
// Beside a suite that waits for its Python, another one computes.
await someAtOnce(asked, 2, async (suite) => {
  progress(`${suite.name} …`);
  try {
    const { verdict, disagreements } = await runSuite(suite, progress, choose);
    verdicts.set(suite, verdict);
    show(suite, disagreements);
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    skipped.push({ name: suite.name, reason: error.message });
  }
});
await endSessions();
const suites = asked.flatMap((suite) => verdicts.get(suite) ?? []);

if (record) {
  if (isAnyDifferent || skipped.length > 0)
    command.error('error: nothing is recorded: a figure differs, or a suite was skipped');
  const [commit, date] = execFileSync('git', ['log', '-1', '--format=%h %cs'], { encoding: 'utf8' }).trim().split(' ');
  writeRecord({ date, commit, suites });
  await writeDocument();
}
if (quick) progress(`a few of each suite, by seed ${seed}`);
process.stdout.write(json ? `${JSON.stringify({ suites, skipped })}\n` : toTable(suites, skipped));
if (isAnyDifferent) process.exitCode = 1;
