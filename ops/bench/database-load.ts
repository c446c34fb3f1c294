/** What a database server spends on its work, as Linux tells it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from '../../db/pool.ts';

/** Clock ticks per second in which Linux counts processor time. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The numbers of `/proc/PID/stat` behind the name of the process, from field 3 (state) on; null: it has ended. */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** PID of the server's first process, the parent of all others. */
export async function postmasterOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const stat = statOf(String(rows[0].pid));
  if (!stat) throw new Error('the database runs on another machine');
  return stat[1];
}

/** Processor time in ms of a process, its children, and its children that have ended. */
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

/** Memory in MB that only this process uses, its part of what it shares with others not counted. */
export function privateMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  const kilobytes = [...text.matchAll(/^Private_\w+: +(\d+) kB$/gm)].reduce((sum, [, kb]) => sum + Number(kb), 0);
  return kilobytes / 1024;
}
