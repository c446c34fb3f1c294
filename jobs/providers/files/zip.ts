/** The members of a zip archive, which is read as a folder. */
import yauzl from 'yauzl';
import { ProviderError } from '../provider.ts';

export interface ZipMember {
  readonly name: string;
  /** Unpacked. */
  readonly bytes: number;
  readonly entry: yauzl.Entry;
}

const MAX = { members: 100_000, bytes: 20e9, ratio: 200 } as const;

const refused = (why: string) => new ProviderError(`the archive cannot be read: ${why}`, { isLocal: true });

/** The files of an archive, without folders. Throws when it is damaged, encrypted, or larger unpacked than is allowed. */
export async function readMembers(path: string): Promise<ZipMember[]> {
  const archive = await yauzl.openPromise(path, { autoClose: false });
  try {
    if (archive.entryCount > MAX.members) throw refused(`it has more than ${MAX.members.toLocaleString('en')} files`);
    const members: ZipMember[] = [];
    let [bytes, packed] = [0, 0];
    for await (const entry of archive.eachEntry()) {
      const name = entry.fileName;
      bytes += entry.uncompressedSize;
      packed += entry.compressedSize;
      if (entry.isEncrypted()) throw refused(`${name} is encrypted`);
      if (bytes > MAX.bytes) throw refused('it is larger than 20 GB unpacked');
      if (!name.endsWith('/')) members.push({ name, bytes: entry.uncompressedSize, entry });
    }
    if (bytes > MAX.ratio * packed) throw refused(`it grows more than ${MAX.ratio} times when it is unpacked`);
    return members;
  } finally {
    archive.close();
  }
}

/** The bytes of a member, unpacked. Throws where there are more or fewer than its entry says. */
export async function* readMember(path: string, { entry }: ZipMember): AsyncGenerator<Buffer> {
  const archive = await yauzl.openPromise(path, { autoClose: false });
  try {
    yield* await archive.openReadStreamPromise(entry);
  } finally {
    archive.close();
  }
}
