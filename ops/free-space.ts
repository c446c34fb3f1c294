/** Room on the disk of a folder. */
import { statfs } from 'node:fs/promises';

/** Bytes that an ordinary user may still write where the folder lies. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
