/**
 * Preloaded into a process (`NODE_OPTIONS`) with its threads: its wall clock runs `CLOCK_AHEAD_MS` ahead, and is stepped when its parent
 * sends `{ aheadMs }`. Timers and the monotonic clock go on, as on a machine whose clock is set.
 */
const real = Date;
let aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const now = () => real.now() + aheadMs;

globalThis.Date = new Proxy(real, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

process.on('message', (message) => {
  const asked: unknown = typeof message === 'object' && message !== null && Reflect.get(message, 'aheadMs');
  if (typeof asked === 'number') aheadMs = asked;
});
