import { statfs } from 'node:fs/promises';

/** Free bytes for ordinary users on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
