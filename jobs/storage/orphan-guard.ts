/** More objects than this, and more than a tenth of all, are not orphans: the database or the storage is the wrong one. */
const FEW = 10;

/** Throws rather than let most objects be removed as orphans. */
export function assertFew(orphans: number, of: number, what: string): void {
  if (orphans <= Math.max(FEW, of / 10)) return;
  throw new Error(`${orphans} of ${of} ${what}: do this database and this storage belong together?`);
}
