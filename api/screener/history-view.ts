/** The history of a screen as it is served. */
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';
import { FOLLOWED_BARS, type ScreenHistory } from '../../jobs/contracts/screen.ts';
import type { z } from '../http/input/fields.ts';
import type { Listing } from './evaluate.ts';
import type { ScreenRequest } from './request.ts';
import type { screenerSchema } from './schemas.ts';

type Changes = NonNullable<ScreenHistory['changes']>;
type Medians = ScreenHistory['medians']['all'];
type Followed = ScreenHistory['followed']['all'];

export function historyView(
  { sessions, changes, followed, followedFrom, medians }: ScreenHistory,
  { columns }: ScreenRequest,
  snapshot: MarketSnapshot,
  { items }: Listing,
): NonNullable<z.input<typeof screenerSchema>['history']> {
  const symbols = new Map(Array.from(snapshot.instrumentIds, (id, i) => [id, items[i]?.qualified]));
  // An instrument that is no longer in the directory has no symbol.
  const turned = (list: Changes['entered']) =>
    list
      .flatMap(({ id, turned: conditions }) => {
        const symbol = symbols.get(id);
        return symbol === undefined ? [] : [{ symbol, conditions }];
      })
      .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const mediansOf = ({ values, ...fields }: Medians) => ({
    ...fields,
    columns: Object.fromEntries(columns.map(({ name }, k) => [name, values[k]])),
  });
  const followedOf = ({ count, median, rose }: Followed) => ({ count, median_pct: median, rose_pct: rose });
  return {
    sessions: sessions.map(({ day, passing }) => ({ date: day, passing })),
    entered: changes && turned(changes.entered),
    left: changes && turned(changes.left),
    followed: {
      since: followedFrom,
      bars: FOLLOWED_BARS,
      passed: followedOf(followed.passed),
      all: followedOf(followed.all),
    },
    medians: { passing: mediansOf(medians.passing), all: mediansOf(medians.all) },
  };
}
