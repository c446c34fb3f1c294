/** A file of a folder, and its lines. */
import type { TextChunk } from '../text-chunks.ts';
import type { ZipMember } from './zip.ts';

/** `wide`: a plain file of many tickers side by side. */
export type Packing = 'plain' | 'wide' | 'gzip' | 'zstd' | 'zip' | 'parquet' | 'arrow';

/** A file of the folder, or a member of an archive. */
export interface SourcePath {
  /** On disk. */
  readonly disk: string;
  /** Within the folder, as in the account. */
  readonly path: string;
  readonly bytes: number;
  readonly member?: ZipMember;
}

export interface FileChunk extends TextChunk {
  /** Lines, by their place in the chunk, that are no rows of a table of tickers. */
  readonly broken?: ReadonlySet<number>;
  /** Bytes of the file read so far, as on disk. */
  readonly bytesRead: number;
}
