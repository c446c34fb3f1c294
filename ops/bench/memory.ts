/** Memory of processes, from `/proc` of Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the peak memory of a process in MB. `resourceUsage` would include the memory of its parent at the fork. */
export function peakResidentMb(pid: number | 'self' = 'self'): number {
  return kilobytesIn(`/proc/${pid}/status`, 'VmHWM') / 1024;
}

/** Returns the resident memory in MB of a process and its descendants; shared memory counts once. */
export function residentMb(pid: number): number {
  const parts = familyOf(pid).map((member) => kilobytesIn(`/proc/${member}/smaps_rollup`, 'Pss'));
  return parts.reduce((sum, value) => sum + value, 0) / 1024;
}

function kilobytesIn(file: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
}

/** Returns the process and its descendants. */
function familyOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}
