/** `npm run truth [-- --only SUITE] [--json] [--record]`: figures of other programs beside ours. Ends with 1 if one differs unexplained. */
import '../../../ops/node-version.cjs';
import { execFileSync } from 'node:child_process';
import { Command, Option } from 'commander';
import type { Verdict } from '../../../api/site/truth.ts';
import { PythonUnavailable } from '../../support/python-environment.ts';
import { type Skipped, toTable, writeDocument, writeRecord } from './report.ts';
import { type Disagreement, runSuite, type Suite } from './suite.ts';
import { SUITES } from './suites/index.ts';

const SHOWN_DISAGREEMENTS = 10;

const command = new Command('truth')
  .addOption(new Option('--only <suite>', 'one suite').choices(SUITES.map(({ name }) => name)))
  .option('--json', 'print one object')
  .option('--record', 'write the results to the page and the document')
  .parse();
const { only, json = false, record = false } = command.opts<{ only?: string; json?: boolean; record?: boolean }>();
if (record && only) command.error('error: --record needs all suites, without --only');

const progress = (line: string) => void process.stderr.write(`${line}\n`);
const verdicts: Verdict[] = [];
const skipped: Skipped[] = [];
let isAnyDifferent = false;

function show(suite: Suite, disagreements: readonly Disagreement[]) {
  if (disagreements.length === 0) return;
  isAnyDifferent = true;
  progress(`${suite.name}: ${disagreements.length} figures differ, and nothing explains it`);
  for (const { name, theirs, ours, difference } of disagreements.slice(0, SHOWN_DISAGREEMENTS))
    progress(`  ${name}: theirs ${theirs}, ours ${ours} (${difference.toExponential(1)})`);
}

for (const suite of SUITES.filter(({ name }) => only === undefined || name === only)) {
  progress(`${suite.name} …`);
  try {
    const { verdict, disagreements } = await runSuite(suite, progress);
    verdicts.push(verdict);
    show(suite, disagreements);
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    skipped.push({ name: suite.name, reason: error.message });
  }
}

if (record) {
  if (isAnyDifferent || skipped.length > 0)
    command.error('error: nothing is recorded: a figure differs, or a suite was skipped');
  const [commit, date] = execFileSync('git', ['log', '-1', '--format=%h %cs'], { encoding: 'utf8' }).trim().split(' ');
  writeRecord({ date, commit, suites: verdicts });
  await writeDocument();
}
process.stdout.write(json ? `${JSON.stringify({ suites: verdicts, skipped })}\n` : toTable(verdicts, skipped));
if (isAnyDifferent) process.exitCode = 1;
