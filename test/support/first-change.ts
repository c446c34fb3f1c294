/** The first change of CONTRIBUTING.md: its commands, run in a copy of the project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(ROOT, 'ops/docs/CONTRIBUTING.md'), 'utf8');

/** Its commands, in their order. */
export const COMMANDS: readonly string[] = (/^## A first change.*?^```sh\n(.*?)^```$/ms.exec(page)?.[1] ?? '')
  .trim()
  .split('\n');

function copyProject(copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
  for (const path of listed.split('\0')) {
    if (path !== '' && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path));
  }
  for (const path of ['node_modules', 'test/judges/node_modules']) {
    if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(copy, path));
  }
}

/** Runs commands in a new copy of the project; throws unless those fail, and only those, that the page says to fail. */
export function runInCopy(commands: readonly string[]): void {
  const copy = mkdtempSync(join(tmpdir(), 'first-change-'));
  try {
    copyProject(copy);
    // Not the environment of this run, which names its own database.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: copy, env, encoding: 'utf8' });
      const isMeantToFail = command.includes('# fails');
      if ((status !== 0) !== isMeantToFail) throw new Error(`${command}\nended with ${status}\n${stdout}${stderr}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
