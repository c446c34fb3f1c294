/** Digests of the files that loads read, by which a bar can be traced to its source. */
import { createHash } from 'node:crypto';
import type { SourceFile } from '../../db/queue/sync-units.ts';

/** The digest of a file while it is read. */
export class SourceDigest {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** The provider's identifier of the version, such as an ETag. */
  version: string | undefined;

  add(chunk: Uint8Array | string): void {
    this.hash.update(chunk);
    this.bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  }

  /** The file, after it has been read completely. */
  end(name: string): SourceFile {
    const { bytes, version } = this;
    return { name, bytes, sha256: this.hash.digest('hex'), version };
  }
}
