/**
 * `npm start`: enables the cache of compiled code before any TypeScript is read. Otherwise Node loads a compiler for the first
 * file, which takes 12 MB until the process ends.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(process.env.DATA_DIR || '.data', 'cache', 'compiled');
// Not on the first start, when nothing has been checked yet and the folder does not exist.
if (existsSync(folder)) enableCompileCache(folder);
await import('./start.ts');
