/** `npm run api`: one API process, or a process with `API_PROCESSES` children that share its port. */
import '../node-version.cjs';
import { joinGroup } from './api-member.ts';
import { runProcess } from './process.ts';

const group = joinGroup();
await runProcess(group ? `api ${group.number}` : 'api', async (context) => {
  if (group === null && context.config.API_PROCESSES > 1) {
    const { startApiProcesses } = await import('./api-group.ts');
    return startApiProcesses(context);
  }
  const { serveApi } = await import('./serve-api.ts');
  return serveApi(context, group);
});
