/** The clients have every operation: their generated files match the routes. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { it } from '@jest/globals';

const GENERATE = fileURLToPath(new URL('generate.ts', import.meta.url));

it('the TypeScript client has the types of the routes (npm run generate --workspace market-data-client)', async () => {
  await promisify(execFile)(process.execPath, [GENERATE, '--check']);
});
