/** How long the event loop is held, in processor time of its thread, so that a busy machine does not count. */

/** Watches every turn from now on. The function that it returns ends that; its result is the longest in ms. */
export function watchTurns(): () => number {
  let isWatching = true;
  let longestMs = 0;
  let last = process.threadCpuUsage();
  /** Once a turn: the processor time since the last one blocked everything else. */
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    last = process.threadCpuUsage();
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isWatching = false;
    return longestMs;
  };
}
