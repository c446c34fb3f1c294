/**
 * `npm start`: uses the compiled code of earlier starts before any TypeScript is read. Without it Node loads a compiler to read
 * the first file, which takes 12 MB for as long as the process lives.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(process.env.DATA_DIR || '.data', 'cache', 'compiled');
// Before the first start the folder is not there, and nothing has been checked yet.
if (existsSync(folder)) enableCompileCache(folder);
await import('./start.ts');
