/** Runs a function of the bench in its own process: `child.ts NAME ARGUMENT…`. Only its own code is loaded, since memory is measured. */
type Task = (args: readonly string[]) => Promise<unknown>;

const TASKS: Readonly<Record<string, () => Promise<Task>>> = {
  runWaitingWorker: async () => (await import('./waiting-worker.ts')).runWaitingWorker,
  runGraphile: async () => (await import('./queue.ts')).runGraphile,
  runCollector: async () => (await import('./trace.ts')).runCollector,
  runExpress: async () => (await import('./http.ts')).runExpress,
  runDefaults: async () => (await import('./default-backtests.ts')).runDefaults,
  runRotation: async () => (await import('./rotation.ts')).runRotation,
  runEngine: async () => (await import('./sweep.ts')).runEngine,
  exportOnce: async () => (await import('./export.ts')).exportOnce,
  loadAll: async () => (await import('./load.ts')).loadAll,
};

const [name, ...args] = process.argv.slice(2);
const task = await TASKS[name]();
process.send?.((await task(args)) ?? 'ready');
process.on('disconnect', () => process.exit(0));
