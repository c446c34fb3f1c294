/** Names of listing venues. */
const VENUES: Readonly<Record<string, string>> = {
  XNAS: 'NASDAQ',
  XNYS: 'NYSE',
  ARCX: 'NYSEARCA',
  XASE: 'NYSEAMERICAN',
  BATS: 'BATS',
};

/** The name of a listing venue, by its operating MIC; an unknown one keeps its MIC. */
export function venueOf(mic: string | null): string {
  return VENUES[mic ?? ''] ?? mic ?? 'US';
}
