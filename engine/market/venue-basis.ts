/** Venue bases of daily bars, and their codes in the database. */
export const VENUE_BASES = ['consolidated', 'single_venue', 'primary_session'] as const;
export type VenueBasis = (typeof VENUE_BASES)[number];

/** Those that are read as series: they are packed and compared. The other is rebuilt from minutes. */
export const SERVED_VENUE_BASES: readonly VenueBasis[] = ['consolidated', 'primary_session'];

export const VENUE_BASIS_CODE = { consolidated: 1, single_venue: 2, primary_session: 3 } as const satisfies Record<
  VenueBasis,
  number
>;

export function venueBasisOfCode(code: number): VenueBasis {
  const venueBasis = VENUE_BASES.find((name) => VENUE_BASIS_CODE[name] === code);
  if (!venueBasis) throw new RangeError(`unknown basis code ${code}`);
  return venueBasis;
}
