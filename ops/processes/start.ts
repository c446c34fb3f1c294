/**
 * Everything on one machine. Checks the machine and prints a line before it loads the rest of the program.
 */
import '../node-version.cjs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { refuseSecondInstance } from '../embedded/database.ts';
import { localAddress } from '../settings.ts';
import { checkDataFolder, checkMachine } from './preflight.ts';
import { runProcess } from './process.ts';
import { startSetup } from './setup.ts';

await runProcess('start', async (context) => {
  const { config } = context;
  process.stdout.write(`Starting on ${localAddress(config)}, data in ${config.DATA_DIR}\n`);
  checkDataFolder(config);
  refuseSecondInstance(config);
  await checkMachine(config);
  const compiledFolder = join(config.DATA_DIR, 'cache', 'compiled');
  enableCompileCache(compiledFolder);
  // With the cache of compiled code, threads and restarted processes start in half the time.
  const environment = { NODE_COMPILE_CACHE: compiledFolder, ...process.env };
  const setup = startSetup(environment);
  const { startService } = await import('./service.ts');
  return startService(context, environment, setup).finally(() => setup.close());
});
