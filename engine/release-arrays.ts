/**
 * Frees the memory of arrays at once. The garbage collector sees the small object of an array and not its bytes, so that tens of megabytes
 * of arrays that nobody uses gather before it runs. Whoever releases an array owns it: its views and it itself have no elements afterwards. Shared
 * memory is left alone.
 */
export function releaseArrays(...arrays: readonly ArrayBufferView[]): void {
  for (const { buffer } of arrays) {
    if ('transfer' in buffer && buffer.byteLength > 0) buffer.transfer(0);
  }
}

/** Frees a piece of a stream at once, unless it is a part of a larger buffer, of which others may still read. */
export function releasePiece(piece: Uint8Array): void {
  if (piece.byteLength === piece.buffer.byteLength) releaseArrays(piece);
}
