/** A file in place of JSON, whose digest is known once it is read. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

export class HashedFile {
  /** The file, to be read once. */
  readonly stream: Readable;
  private readonly hash = createHash('sha256');
  private result: Buffer | null = null;

  /** `call`: what else tells a call from another one. */
  constructor(file: Readable, call: string) {
    this.hash.update(`${call}\n`);
    this.stream = Readable.from(this.passOn(file));
  }

  /** Null until the file is read. */
  get digest(): Buffer | null {
    return this.result;
  }

  /** Reads a file that nothing else has read. */
  async read(): Promise<Buffer> {
    for await (const _ of this.stream);
    return this.result ?? this.hash.digest();
  }

  private async *passOn(file: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) {
      this.hash.update(chunk);
      yield chunk;
    }
    this.result = this.hash.digest();
  }
}
