/** Processor time and memory of a database server, from `/proc` of Linux. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from '../../db/pool.ts';

/** Unit of processor time in Linux: clock ticks per second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the fields of `/proc/PID/stat` after the process name, from field 3 (state) on; null if the process has ended. */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Returns the PID of the server's first process, the parent of all others. */
export async function postmasterOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const stat = statOf(String(rows[0].pid));
  if (!stat) throw new Error('the database runs on another machine');
  return stat[1];
}

/** Returns the processor time in ms of a process and its children, including children that have ended. */
export function processorTime(postmaster: string): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = statOf(pid);
    if (stat && pid === postmaster) ticks += stat.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    else if (stat?.[1] === postmaster) ticks += Number(stat[11]) + Number(stat[12]);
  }
  return (1000 * ticks) / TICKS;
}

/** Returns the memory in MB that only this process uses, without memory that it shares with others. */
export function privateMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  const kilobytes = [...text.matchAll(/^Private_\w+: +(\d+) kB$/gm)].reduce((sum, [, kb]) => sum + Number(kb), 0);
  return kilobytes / 1024;
}
