/** Ids that processes derive from the same facts, so that they find what another process has recorded. */

/** The id of a digest of at least 16 bytes. */
export function idOfDigest(digest: Buffer): string {
  const bytes = Buffer.from(digest);
  // Version 8: an id whose bits are the application's own (RFC 9562).
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
