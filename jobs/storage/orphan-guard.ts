/** More than so many, and more than a tenth, are no orphans but another database or another storage. */
const FEW = 10;

/** Throws rather than let a sweep take the whole for its orphans. */
export function assertFew(orphans: number, of: number, what: string): void {
  if (orphans <= Math.max(FEW, of / 10)) return;
  throw new Error(`${orphans} of ${of} ${what}: do this database and this storage belong together?`);
}
