/** Covers of articles: pages show only those that are uploaded, since their policy allows no pictures of other hosts. */

const UPLOADED = '/api/articles/';

/** The path of an uploaded cover; null: there is none. */
export function ownCover(address: string | null): string | null {
  if (address === null) return null;
  const { pathname, search } = new URL(address, location.origin);
  return pathname.startsWith(UPLOADED) ? `${pathname}${search}` : null;
}
