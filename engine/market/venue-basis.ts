/** Venue basis of a daily bar, and the small integer that stands for it in storage. */
export const BASES = ['consolidated', 'single_venue', 'primary_session'] as const;
export type Basis = (typeof BASES)[number];

export const BASIS_CODE = { consolidated: 1, single_venue: 2, primary_session: 3 } as const satisfies Record<
  Basis,
  number
>;

export function basisOfCode(code: number): Basis {
  const basis = BASES.find((name) => BASIS_CODE[name] === code);
  if (!basis) throw new RangeError(`unknown basis code ${code}`);
  return basis;
}
