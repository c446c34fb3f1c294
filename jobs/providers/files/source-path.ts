/** A file of a folder, and its lines. */
import type { TextChunk } from '../text-chunks.ts';
import type { ZipMember } from './zip.ts';

export type Packing = 'plain' | 'gzip' | 'zstd' | 'zip' | 'parquet' | 'arrow';

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
  /** Bytes of the file read so far, as on disk. */
  readonly bytesRead: number;
}
