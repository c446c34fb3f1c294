/** Passes a stream on, and digests it. */
import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

export class Digest extends Transform {
  private readonly hash = createHash('sha256');
  bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  /** Once the stream has ended. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}
