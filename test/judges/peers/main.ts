/**
 * `npm run peers [-- --only PEER] [--quick] [--record]`: other backtesters on the same bars and rules. Ends with 1 if trades or
 * returns differ and nothing explains it.
 */
import '../../../ops/node-version.cjs';
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { Command, Option } from 'commander';
import { openPythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { writeDocument } from '../truth/report.ts';
import { comparePeer } from './compare-peer.ts';
import { PEERS } from './peer.ts';
import { type PeerResult, type SkippedPeer, toText, writeRecord } from './report.ts';

const YEARS = 5;
const FULL = { instruments: 50, budgetMs: 5_000 };
const QUICK = { instruments: 3, budgetMs: 500 };
/** A quick run begins no peer after so long, so that a pipeline does not wait for a slow registry. */
const QUICK_MS = 5 * 60_000;

interface Options {
  readonly only?: string;
  readonly quick?: boolean;
  readonly record?: boolean;
}

const command = new Command('peers')
  .addOption(new Option('--only <peer>', 'one peer').choices(PEERS.map(({ name }) => name)))
  .option('--quick', 'fewer instruments, and less time for each figure')
  .option('--record', 'write the results to the page and the document')
  .parse();
const { only, quick = false, record = false } = command.opts<Options>();
if (record && (only || quick))
  command.error('error: --record needs all peers and instruments, without --only and --quick');

const progress = (line: string) => void process.stderr.write(`${line}\n`);
const size = quick ? QUICK : FULL;
const results: PeerResult[] = [];
const skipped: SkippedPeer[] = [];
let isAnyDifferent = false;

for (const peer of PEERS.filter(({ name }) => only === undefined || name === only)) {
  if (quick && performance.now() > QUICK_MS) {
    skipped.push({ name: peer.name, reason: 'the time of a quick run is over' });
    continue;
  }
  progress(`${peer.name} …`);
  try {
    const { python } = await openPythonEnvironment(peer.requirements, { progress });
    const { result, unexplained } = await comparePeer(peer, python, { ...size, years: YEARS });
    results.push(result);
    for (const { strategy, fill, costs, trades, equalTrades, largestReturnDifference } of unexplained) {
      isAnyDifferent = true;
      progress(
        `${peer.name}: ${strategy}, fills at ${fill}, costs ${costs}: ${equalTrades} of ${trades} trades are equal, returns differ ` +
          `by ${largestReturnDifference.toExponential(1)}, and nothing explains it`,
      );
    }
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    skipped.push({ name: peer.name, reason: error.message });
  }
}

if (record) {
  if (isAnyDifferent || skipped.length > 0)
    command.error('error: nothing is recorded: a result differs, or a peer was skipped');
  const [commit, date] = execFileSync('git', ['log', '-1', '--format=%h %cs'], { encoding: 'utf8' }).trim().split(' ');
  const cores = cpus();
  const machine = `${cores.length} × ${cores[0].model.trim()}, Node ${process.versions.node}`;
  writeRecord({ date, commit, machine, instruments: size.instruments, years: YEARS, peers: results });
  await writeDocument();
}
process.stdout.write(toText(results, skipped));
if (isAnyDifferent) process.exitCode = 1;
