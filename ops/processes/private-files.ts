/** Keeps the data folder private: no other user of the machine may read it. */

import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../engine/util/thrown.ts';

/** The service's entries in a data folder. PostgreSQL protects its own files. */
const OURS = ['secret', 'runtime.json', 'postgres.password', 'outbox', 'objects', 'cache'];

const FOR_OTHERS = 0o077;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Makes every file that this process and its children create private to its user, whatever the umask was, and closes
 * files that an earlier version left open. It skips folders that only the user can enter, because their contents are
 * already protected.
 */
export function keepFilesPrivate(dataDir: string): void {
  process.umask(FOR_OTHERS);
  for (const name of OURS) {
    const path = join(dataDir, name);
    if (existsSync(path)) close(path);
  }
}

/** Closes the contents first, so that a closed folder is known to be done. */
function close(path: string): void {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink() || (found.mode & FOR_OTHERS) === 0) return;
    if (found.isDirectory()) for (const name of readdirSync(path)) close(join(path, name));
    chmodSync(path, found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE);
  } catch (error) {
    const code = codeOf(error);
    // It was removed meanwhile, or belongs to another user.
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'EACCES') throw error;
  }
}
