/** The bound of a job's processor time, on real threads. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from '@jest/globals';
import { cpuMsOf, limitCpu } from '../../../jobs/queue/thread-control.ts';

const started = (code: string) => new Worker(code, { eval: true });
const LIMIT_MS = 200;

it('is exceeded by a thread that computes without a break, even if it has just been started', async () => {
  const thread = started('for (;;) {}');
  const exceeded = Promise.withResolvers<void>();
  limitCpu(thread, LIMIT_MS, exceeded.resolve);
  await exceeded.promise;
  expect(cpuMsOf(await thread.cpuUsage())).toBeGreaterThanOrEqual(LIMIT_MS);
  await thread.terminate();
});

it('is exceeded by a thread that takes longer to start than its limit', async () => {
  const starting = [false, false, true].values();
  const cpuUsage = async () => {
    if (starting.next().value === false) throw new Error('the thread is not running');
    return { user: LIMIT_MS * 1_000, system: 0 };
  };
  await new Promise<void>((exceeded) => limitCpu({ cpuUsage }, LIMIT_MS, exceeded));
});

it('counts what the job uses, not earlier use of its thread nor waiting time', async () => {
  const thread = started(`
    const { parentPort } = require('node:worker_threads');
    const compute = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    compute(${3 * LIMIT_MS});
    parentPort.postMessage('ready');
    parentPort.once('message', () => setTimeout(() => parentPort.postMessage('done'), ${2 * LIMIT_MS}));`);
  await once(thread, 'message');
  let isExceeded = false;
  const stop = limitCpu(thread, LIMIT_MS, () => {
    isExceeded = true;
  });
  thread.postMessage('begin');
  await once(thread, 'message');
  stop();
  expect(isExceeded).toBe(false);
  await thread.terminate();
});
