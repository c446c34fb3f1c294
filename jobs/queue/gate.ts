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
