/** Digests of what loads read, so that a bar can be traced to the file that it came from. */
import { createHash } from 'node:crypto';
import type { SourceFile } from '../../db/queue/sync-units.ts';

/** Takes in a file while it is read. */
export class SourceDigest {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** The provider's mark of the version that is read. */
  version: string | undefined;

  add(chunk: Uint8Array | string): void {
    this.hash.update(chunk);
    this.bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  }

  /** The file, once it has been read to its end. */
  end(name: string): SourceFile {
    const { bytes, version } = this;
    return { name, bytes, sha256: this.hash.digest('hex'), version };
  }
}
