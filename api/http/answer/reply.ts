/** What a handler may give back besides plain `data`, and what is sent for it. */
import type { Readable } from 'node:stream';

/** `data` that is JSON text already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `data` as pieces of JSON text that are made when the client is ready for them. */
export class JsonStream {
  readonly pieces: AsyncIterable<string>;

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** 202: work was queued and goes on; `location` tells how. */
export class Accepted {
  readonly location: string;
  readonly data: object;

  constructor(location: string, data: object) {
    this.location = location;
    this.data = data;
  }
}

/** A file to download, outside the envelope. */
export class FileReply {
  readonly name: string;
  readonly contentType: string;
  readonly content: string | Buffer;

  constructor(name: string, contentType: string, content: string | Buffer) {
    this.name = name;
    this.contentType = contentType;
    this.content = content;
  }
}

/** What is sent for an answer. */
export interface Reply {
  readonly status: number;
  /** An envelope, or a file without one. */
  readonly body: string | Buffer | JsonStream | FileReply | StoredFileReply;
}

export interface StoredFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Of the content. */
  readonly checksum: string;
  /** Opens a part of it; both ends included. */
  readonly open: (range: { readonly start: number; readonly end: number }) => Promise<Readable>;
}

/** A stored object to download, whole or in part, outside the envelope. */
export class StoredFileReply {
  readonly file: StoredFile;

  constructor(file: StoredFile) {
    this.file = file;
  }
}
