/** Installs the packages of this folder at their first use, and after a change of them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const lock = readFileSync(new URL('package-lock.json', folder));
const installed = new URL('node_modules/.installed', folder);
if (!existsSync(installed) || !readFileSync(installed).equals(lock)) {
  process.stderr.write('installing the packages of test/judges …\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(installed, lock);
}
