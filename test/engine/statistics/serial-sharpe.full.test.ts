/** Sharpe ratios with serial correlation beside jsharpe, where it can be installed. `RECORD_ORACLES=1` records them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, it } from '@jest/globals';
import { openPythonEnvironment, type PythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { expectSharpes, SHARPE_CASES, type SharpeFigures } from '../../support/sharpe-oracles.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let python: PythonEnvironment | null = null;

beforeAll(async () => {
  try {
    python = await openPythonEnvironment(pathOf('oracles/requirements.txt'), { progress: () => {} });
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    process.stderr.write(`SKIPPED: Sharpe ratios by jsharpe: ${error.message}\n`);
  }
});

it('are those of the package', async () => {
  if (python === null) return;
  const answers: SharpeFigures[] = await python.run(pathOf('oracles/sharpe.py'), SHARPE_CASES);
  expectSharpes(answers);
  if (!process.env.RECORD_ORACLES) return;
  const from = 'jsharpe 0.6.3, numpy 2.4.6, scipy 1.17.1: sharpe.py';
  writeFileSync(pathOf('oracles/sharpe.json'), `${JSON.stringify({ from, answers }, null, 1)}\n`);
});
