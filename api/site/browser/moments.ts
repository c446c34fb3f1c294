/** Moments in tables: ISO, in UTC, to the minute. */
export function moment(iso: string | null): string {
  return iso === null ? '–' : iso.slice(0, 16).replace('T', ' ');
}
