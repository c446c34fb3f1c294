/** Memory of processes, where Linux tells it. */
import { readdirSync, readFileSync } from 'node:fs';

/** The most memory in MB that a process has held. `resourceUsage` would count in what its parent held when it forked. */
export function peakResidentMb(pid: number | 'self' = 'self'): number {
  return kilobytesIn(`/proc/${pid}/status`, 'VmHWM') / 1024;
}

/** Resident memory in MB of a process and all below it, with what they share counted once. */
export function residentMb(pid: number): number {
  const parts = familyOf(pid).map((member) => kilobytesIn(`/proc/${member}/smaps_rollup`, 'Pss'));
  return parts.reduce((sum, value) => sum + value, 0) / 1024;
}

function kilobytesIn(file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
}

/** The process and all below it. */
function familyOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}
