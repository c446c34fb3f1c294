/** The market as it was served at an instant: what loads have changed since is undone. */
import { type KeyedEvent, selectKeyedEvents } from '../../db/market/adjustments.ts';
import {
  type RevisedBar,
  type RevisedEvent,
  type Revision,
  selectFirstRevisionsSince,
} from '../../db/market/revisions.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Adjustment } from '../../engine/market/adjust.ts';
import { type Day, requireDay } from '../../engine/market/dates.ts';
import { withBars } from '../../engine/market/past-series.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';

export class PastMarket {
  private readonly revisions: ReadonlyMap<number, readonly Revision[]>;

  private constructor(revisions: ReadonlyMap<number, readonly Revision[]>) {
    this.revisions = revisions;
  }

  /** Reads the changes of some instruments since an instant. */
  static async at(db: Queryable, instrumentIds: readonly number[], at: Date): Promise<PastMarket> {
    const revisions = await selectFirstRevisionsSince(db, instrumentIds, at);
    return new PastMarket(Map.groupBy(revisions, ({ instrumentId }) => instrumentId));
  }

  series(instrumentId: number, venueBasis: VenueBasis, now: BarSeries): BarSeries {
    const changed = new Map<Day, RevisedBar | null>();
    for (const revision of this.revisions.get(instrumentId) ?? []) {
      if ('venueBasis' in revision && revision.venueBasis === venueBasis)
        changed.set(requireDay(revision.day), revision.was);
    }
    return withBars(now, changed);
  }

  async events(db: Queryable, instrumentId: number, now: readonly Adjustment[]): Promise<readonly Adjustment[]> {
    const changed = new Map<string, RevisedEvent | null>();
    for (const revision of this.revisions.get(instrumentId) ?? []) {
      if ('eventKey' in revision) changed.set(revision.eventKey, revision.was);
    }
    if (changed.size === 0) return now;
    const kept = (await selectKeyedEvents(db, instrumentId)).filter(({ eventKey }) => !changed.has(eventKey));
    const added = [...changed].flatMap(([eventKey, was]): KeyedEvent[] =>
      was ? [{ eventKey, exDay: requireDay(was.ex_date), kind: was.kind, factor: was.factor }] : [],
    );
    return [...kept, ...added].sort((a, b) => a.exDay - b.exDay || (a.eventKey < b.eventKey ? -1 : 1));
  }
}
