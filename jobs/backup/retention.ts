/** Which backups are kept, and when the next one is due. */
import { MS_PER_DAY } from '../../engine/market/dates.ts';

interface KeptBackup {
  readonly startedAt: Date;
  readonly isDamaged: boolean;
  readonly isProven: boolean;
}

/** 1970-01-05, the first Monday of the epoch, in days. */
const FIRST_MONDAY = 4;
const dayOf = ({ startedAt }: KeptBackup) => Math.floor(startedAt.getTime() / MS_PER_DAY);
const weekOf = (backup: KeptBackup) => Math.floor((dayOf(backup) - FIRST_MONDAY) / 7);

/** The newest backup of each of the newest `count` periods. */
function newestOf<B extends KeptBackup>(backups: readonly B[], periodOf: (backup: B) => number, count: number): B[] {
  const newest = new Map<number, B>();
  for (const backup of backups) if (!newest.has(periodOf(backup))) newest.set(periodOf(backup), backup);
  return [...newest.values()].slice(0, count);
}

/**
 * Backups that are no longer kept. Given newest first. The newest sound one stays, and so does the newest one that a drill has
 * restored. One that a drill has found damaged counts for no day, and stays as long as an older one does.
 */
export function expiredBackups<B extends KeptBackup>(
  backups: readonly B[],
  { daily, weekly }: { readonly daily: number; readonly weekly: number },
): B[] {
  const sound = backups.filter(({ isDamaged }) => !isDamaged);
  if (sound.length === 0) return [];
  const kept = new Set([
    ...sound.slice(0, 1),
    ...sound.filter(({ isProven }) => isProven).slice(0, 1),
    ...newestOf(sound, dayOf, daily),
    ...newestOf(sound, weekOf, weekly),
  ]);
  const oldest = Math.min(...[...kept].map(({ startedAt }) => startedAt.getTime()));
  return backups.filter((backup) => !kept.has(backup) && (!backup.isDamaged || backup.startedAt.getTime() < oldest));
}

/** The last time at which a backup was due. `minute`: after midnight UTC. */
export function lastDueTime(now: number, minute: number): number {
  const at = minute * 60_000;
  return Math.floor((now - at) / MS_PER_DAY) * MS_PER_DAY + at;
}
