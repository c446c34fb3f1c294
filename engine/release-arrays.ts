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
