/** Zip archives in memory. */
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

export async function zipOf(members: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [name, text] of Object.entries(members)) archive.addBuffer(Buffer.from(text), name);
  archive.end();
  return buffer(archive.outputStream);
}
