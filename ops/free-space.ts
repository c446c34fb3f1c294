/** Free space on the disk of a folder. */
import { statfs } from 'node:fs/promises';

/** Bytes that an ordinary user can still write to the disk of the folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
