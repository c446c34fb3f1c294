/** The first change of CONTRIBUTING.md works: its commands are run in a copy of the project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { deadline } from '../support/deadlines.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(ROOT, 'ops/docs/CONTRIBUTING.md'), 'utf8');
const commands = (/^## A first change.*?^```sh\n(.*?)^```$/ms.exec(page)?.[1] ?? '').trim().split('\n');

const copy = mkdtempSync(join(tmpdir(), 'first-change-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function copyProject(): void {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
  for (const path of listed.split('\0')) {
    if (path !== '' && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path));
  }
  for (const path of ['node_modules', 'test/judges/node_modules']) {
    if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(copy, path));
  }
}

it(
  'of CONTRIBUTING works, and its tests fail without it',
  () => {
    copyProject();
    expect(commands).toHaveLength(6);
    // Not the environment of this run, which names its own database.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: copy, env, encoding: 'utf8' });
      const isMeantToFail = command.includes('# fails');
      if ((status !== 0) !== isMeantToFail) throw new Error(`${command}\nended with ${status}\n${stdout}${stderr}`);
    }
  },
  deadline(120_000),
);
