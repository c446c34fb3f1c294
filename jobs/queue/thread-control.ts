/** Controls the thread of a job from outside: pauses it between two parts, and limits its processor time. */
import type { Worker } from 'node:worker_threads';

/** A cell that a worker shares with the thread of a job, which it pauses between two parts of the job. */
export type Gate = Int32Array<SharedArrayBuffer>;

const OPEN = 0;
const SHUT = 1;

export function newGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function isShut(gate: Gate): boolean {
  return Atomics.load(gate, 0) === SHUT;
}

export function setGate(gate: Gate, isOpen: boolean): void {
  Atomics.store(gate, 0, isOpen ? OPEN : SHUT);
  if (isOpen) Atomics.notify(gate, 0);
}

/** Blocks the thread, without using its processor, while the gate is shut. */
export function passGate(gate: Gate): void {
  while (isShut(gate)) Atomics.wait(gate, 0, SHUT);
}

/** Processor time in milliseconds. */
export function cpuMsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Shortest interval between two checks of a job. */
const MIN_INTERVAL_MS = 100;

/**
 * Calls `exceed` when a thread has used `limitMs` of processor time from now on. A thread cannot use more processor
 * time than elapses, so the first check is after `limitMs`. Returns a function that stops the checks.
 */
export function limitCpu(thread: Pick<Worker, 'cpuUsage'>, limitMs: number, exceed: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  // Even a busy thread answers at once. One that is still starting has used nothing.
  const used = () => thread.cpuUsage().then(cpuMsOf, () => 0);
  const before = used();
  const check = async () => {
    const left = limitMs - ((await used()) - (await before));
    if (isOver) return;
    if (left <= 0) exceed();
    else wait(left);
  };
  const wait = (ms: number) => {
    timer = setTimeout(check, Math.max(MIN_INTERVAL_MS, ms));
  };
  wait(limitMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
