/** What the service keeps in its data folder is its own business: nobody else on the machine may read it. */

import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../engine/thrown.ts';

/** What is ours in a data folder, but the files of PostgreSQL, which sees to its own. */
const OURS = ['secret', 'runtime.json', 'postgres.password', 'outbox', 'objects', 'cache'];

const FOR_OTHERS = 0o077;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Has every file that this process and its children create be its user's alone, whatever umask it was started with, and
 * closes what an earlier version has left open. A folder that is closed already is not looked into: what was made in it
 * since cannot be reached.
 */
export function keepFilesPrivate(dataDir: string): void {
  process.umask(FOR_OTHERS);
  for (const name of OURS) {
    const path = join(dataDir, name);
    if (existsSync(path)) close(path);
  }
}

/** Contents first: a folder that is closed has been gone through. */
function close(path: string): void {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink() || (found.mode & FOR_OTHERS) === 0) return;
    if (found.isDirectory()) for (const name of readdirSync(path)) close(join(path, name));
    chmodSync(path, found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE);
  } catch (error) {
    const code = codeOf(error);
    // Removed meanwhile, or another user's: not ours to close.
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'EACCES') throw error;
  }
}
