/** The command of the benchmarks. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('starts with all benchmarks, and names their rows where one is unknown', async () => {
  const start = promisify(execFile)(process.execPath, ['test/judges/bench/main.ts', '--only', 'nothing']);
  await expect(start).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('there is no row "nothing"') });
});
