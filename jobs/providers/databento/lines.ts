/** Lines of a response body: plain text, or zstd in one or several frames. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createZstdDecompress } from 'node:zlib';
import { ProviderError } from '../provider.ts';

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Every line without its line end. Throws when the last line has none, because the answer is then truncated. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of decompressed(new Chunks(body))) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new ProviderError('the answer ends in the middle of a line', { isTransient: true });
}

/** The chunks of a body; the unread part of a chunk can be returned. */
class Chunks {
  private readonly source: AsyncIterator<Buffer>;
  private returned: Buffer[] = [];

  constructor(body: ReadableStream<Uint8Array>) {
    this.source = Readable.fromWeb(body)[Symbol.asyncIterator]();
  }

  /** Null at the end. */
  async next(): Promise<Buffer | null> {
    const first = this.returned.shift();
    if (first) return first;
    const { value, done } = await this.source.next();
    return done ? null : value;
  }

  giveBack(chunk: Buffer): void {
    if (chunk.length > 0) this.returned.unshift(chunk);
  }

  async startsWith(magic: Buffer): Promise<boolean> {
    let head: Buffer = Buffer.alloc(0);
    while (head.length < magic.length) {
      const chunk = await this.next();
      if (!chunk) break;
      head = Buffer.concat([head, chunk]);
    }
    this.giveBack(head);
    return head.subarray(0, magic.length).equals(magic);
  }
}

async function* decompressed(chunks: Chunks): AsyncGenerator<Uint8Array> {
  if (!(await chunks.startsWith(ZSTD_MAGIC))) {
    for (let chunk = await chunks.next(); chunk; chunk = await chunks.next()) yield chunk;
    return;
  }
  for (let chunk = await chunks.next(); chunk; chunk = await chunks.next()) {
    chunks.giveBack(chunk);
    yield* oneFrame(chunks);
  }
}

/**
 * The content of a frame (or of several, when they end with their chunks). The decompressor ends when a chunk continues after the
 * frame; the rest is returned for the next frame.
 */
async function* oneFrame(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const zstd = createZstdDecompress();
  let fed = 0;
  let last: Buffer = Buffer.alloc(0);
  const source = (async function* () {
    for (let chunk = await chunks.next(); chunk && !zstd.readableEnded; chunk = await chunks.next()) {
      fed += chunk.length;
      last = chunk;
      yield chunk;
    }
  })();
  const feeding = (async () => {
    for await (const chunk of source) {
      await new Promise<void>((resolve) => {
        const done = () => resolve();
        zstd.once('end', done);
        zstd.write(chunk, done);
      });
      if (zstd.bytesWritten < fed) return;
    }
    zstd.end();
  })().catch((error) => void zstd.destroy(error));
  yield* zstd;
  await feeding;
  chunks.giveBack(last.subarray(last.length - (fed - zstd.bytesWritten)));
}
