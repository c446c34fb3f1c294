/**
 * Preloaded into a process (`NODE_OPTIONS`) with its threads: counts which functions run. Asked by its parent (`{ coverage: true }`), the
 * process answers with the files of the product of which a function ran since it was last asked.
 */
import { Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PRODUCT = /^(api|db|engine|jobs|ops|storage)\//;
/** Threads that are idle answer within this time. */
const ANSWER_MS = 500;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Files of which a function ran since the last call. What runs once while a module is evaluated has no function of its own. */
function filesThatRan(): string[] {
  const files: string[] = [];
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    for (const { url, functions } of taken.result) {
      const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
      const own = functions.filter(({ functionName, ranges: [range] }) => functionName !== '' || range.startOffset > 0);
      if (PRODUCT.test(file) && own.some(({ ranges: [{ count }] }) => count > 0)) files.push(file);
    }
  });
  return files;
}

const asked = new BroadcastChannel('coverage asked');
const answered = new BroadcastChannel('coverage answered');
asked.unref();
answered.unref();

if (isMainThread) {
  const found = new Set<string>();
  answered.onmessage = (event) => {
    const { data }: { readonly data: readonly string[] } = event;
    for (const file of data) found.add(file);
  };
  process.on('message', (message) => {
    if (typeof message !== 'object' || message === null || !('coverage' in message)) return;
    asked.postMessage(null);
    setTimeout(() => {
      for (const file of filesThatRan()) found.add(file);
      process.send?.({ covered: [...found] });
      found.clear();
    }, ANSWER_MS);
  });
} else {
  asked.onmessage = () => answered.postMessage(filesThatRan());
}
