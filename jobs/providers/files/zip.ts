/** The members of a zip archive, which is read as a folder. Source: PKWARE's APPNOTE, with the fields of Zip64. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { ProviderError } from '../provider.ts';

export interface ZipMember {
  readonly name: string;
  readonly bytes: number;
  readonly packedBytes: number;
  readonly isDeflated: boolean;
  /** Offset of its local header. */
  readonly at: number;
}

const MAX = { members: 100_000, bytes: 20e9, ratio: 200 } as const;
const END = 0x06054b50;
const END_BYTES = 22;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const IN_EXTRA = 0xffffffff;

/** The files of an archive, without folders. Throws when it is damaged, encrypted, or larger unpacked than is allowed. */
export async function readMembers(path: string): Promise<ZipMember[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const directory = await readDirectory(file, size);
    const members = [...entriesOf(directory)];
    if (members.length > MAX.members) throw refused(`it has more than ${MAX.members.toLocaleString('en')} files`);
    const bytes = members.reduce((sum, member) => sum + member.bytes, 0);
    if (bytes > MAX.bytes) throw refused('it is larger than 20 GB unpacked');
    if (bytes > MAX.ratio * size) throw refused(`it grows more than ${MAX.ratio} times when it is unpacked`);
    return members.filter(({ name }) => !name.endsWith('/'));
  } finally {
    await file.close();
  }
}

const refused = (why: string) => new ProviderError(`the archive cannot be read: ${why}`, { isLocal: true });

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead < bytes) throw refused('it breaks off');
  return buffer;
}

async function readDirectory(file: FileHandle, size: number): Promise<Buffer> {
  const tailBytes = Math.min(size, END_BYTES + 65_536);
  const tail = await readAt(file, size - tailBytes, tailBytes);
  let at = tail.length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--;
  if (at < 0) throw refused('its directory is missing');
  let [bytes, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (offset === IN_EXTRA || bytes === IN_EXTRA) {
    const end64 = Number(tail.readBigUInt64LE(at - 20 + 8));
    const end = await readAt(file, end64, 56);
    if (end.readUInt32LE(0) !== END_64) throw refused('its directory is missing');
    [bytes, offset] = [Number(end.readBigUInt64LE(40)), Number(end.readBigUInt64LE(48))];
  }
  if (offset + bytes > size || bytes > 1e9) throw refused('its directory is damaged');
  return readAt(file, offset, bytes);
}

function* entriesOf(directory: Buffer): Generator<ZipMember> {
  for (let at = 0; at + ENTRY_BYTES <= directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY) return;
    const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)];
    const [nameBytes, extraBytes] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30)];
    const name = directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    if (flags & 1) throw refused(`${name} is encrypted`);
    if (method !== 0 && method !== 8) throw refused(`${name} is packed by an unknown method`);
    const extraAt = at + ENTRY_BYTES + nameBytes;
    const sizes = [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)];
    const [bytes, packedBytes, local] = withExtra(sizes, directory.subarray(extraAt, extraAt + extraBytes));
    yield { name, bytes, packedBytes, isDeflated: method === 8, at: local };
    at = extraAt + extraBytes + directory.readUInt16LE(at + 32);
  }
}

/** Sizes that do not fit stand in the extra field of Zip64, in their order. */
function withExtra(sizes: readonly number[], extra: Buffer): number[] {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return sizes.map((size) => {
    if (size !== IN_EXTRA || at + 8 > extra.length) return size;
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  });
}

/** The bytes of a member, unpacked, cut off where there are more than its entry says. */
export async function* readMember(path: string, member: ZipMember): AsyncGenerator<Buffer> {
  const file = await open(path);
  const header = await readAt(file, member.at, LOCAL_BYTES).finally(() => file.close());
  const start = member.at + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (member.packedBytes === 0) return;
  const packed = createReadStream(path, { start, end: start + member.packedBytes - 1 });
  const unpacked = member.isDeflated ? packed.pipe(createInflateRaw()) : packed;
  packed.on('error', (error) => unpacked.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of unpacked) {
      bytes += chunk.length;
      if (bytes > member.bytes) throw refused(`${member.name} is longer than its directory says`);
      yield chunk;
    }
    if (bytes < member.bytes) throw refused(`${member.name} breaks off`);
  } finally {
    Readable.prototype.destroy.call(packed);
  }
}
