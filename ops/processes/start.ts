/**
 * `npm start`: everything on one machine. Checks the machine and prints what it will do before it loads the rest of the
 * program.
 */
import '../node-version.ts';
import { refuseSecondInstance } from '../embedded/runtime-file.ts';
import { checkDataFolder, checkMachine } from './preflight.ts';
import { runProcess } from './process.ts';

await runProcess('start', async (context) => {
  const { config } = context;
  process.stdout.write(`Starting on http://${config.HOST}:${config.PORT}, data in ${config.DATA_DIR}\n`);
  checkDataFolder(config);
  refuseSecondInstance(config);
  await checkMachine(config);
  const { startService } = await import('./service.ts');
  return startService(context, process.env);
});
