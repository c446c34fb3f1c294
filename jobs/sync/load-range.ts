/** The days that a load of bars covers; used by the job and by its dry run. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { SyncSpec } from '../contracts/sync.ts';
import type { Provider, SessionRange } from '../providers/provider.ts';
import { labelOf } from '../providers/providers.ts';

export interface LoadRange {
  readonly venueBasis: VenueBasis;
  /** First and last day of the load, both included. The range is empty when `end` is before `start`. */
  readonly start: Day;
  readonly end: Day;
  /** Everything that the provider has published on the venue basis. */
  readonly published: SessionRange;
}

/** Describes the days that the provider has, if it has none of the requested ones; null: it has some of them. */
export function describeUnpublished(
  provider: Provider,
  { start, end, venue_mode: venueBasis }: SyncSpec,
  ranges: readonly LoadRange[],
): string | null {
  if (start === undefined && end === undefined && venueBasis === undefined) return null;
  if (ranges.some((range) => range.start <= range.end)) return null;
  if (ranges.length === 0)
    return `${labelOf(provider).en} has no bars${venueBasis ? ` on the venue basis ${venueBasis}` : ''}`;
  const has = ranges.map(
    (range) => `${formatDay(range.published.first)} to ${formatDay(range.published.newest)} (${range.venueBasis})`,
  );
  const requested = `${start === undefined ? '' : ` from ${start}`}${end === undefined ? '' : ` to ${end}`}`;
  return `${labelOf(provider).en} has bars from ${has.join(', ')}, none${requested}`;
}

/** The days of a specification that the provider has published, on each venue basis that it has. */
export async function loadRanges(provider: Provider, spec: SyncSpec): Promise<LoadRange[]> {
  const ranges: LoadRange[] = [];
  for (const venueBasis of spec.venue_mode ? [spec.venue_mode] : VENUE_BASES) {
    const published = await provider.publishedSessions(venueBasis);
    if (spec.forget !== undefined && spec.start !== undefined && spec.end !== undefined) {
      const [start, end] = [requireDay(spec.start), requireDay(spec.end)];
      ranges.push({ venueBasis, start, end, published: published ?? { first: start, newest: end } });
      continue;
    }
    if (!published) continue;
    const { first, newest } = published;
    ranges.push({
      venueBasis,
      start: spec.start === undefined ? first : Math.max(requireDay(spec.start), first),
      end: spec.end === undefined ? newest : Math.min(requireDay(spec.end), newest),
      published,
    });
  }
  return ranges;
}
