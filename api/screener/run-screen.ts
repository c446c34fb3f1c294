/** A screen from its request to its answer. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sessionsAfter } from '../../engine/calendar.ts';
import { formatDay, parseDay } from '../../engine/dates.ts';
import { ServiceError } from '../../engine/errors.ts';
import { findField } from '../../engine/screener/fields.ts';
import {
  type Condition,
  cheapestFirst,
  eligibleInstruments,
  type FigureColumns,
  figureKey,
  freshInstruments,
  lookbackOf,
  narrow,
  sortBy,
  venueScopeOf,
} from '../../engine/screener/screen.ts';
import { roundTo } from '../../engine/series.ts';
import { NOTE_LEVELS } from '../../jobs/backtest/order.ts';
import type { z } from '../fields.ts';
import type { Locale } from '../locale.ts';
import type { DirectoryItem } from '../market/directory.ts';
import type { MarketView } from '../market/market-view.ts';
import { labelText } from '../messages.ts';
import type { ScreenRequest } from './request.ts';
import type { screenerSchema } from './schemas.ts';
import type { LoadedSnapshot, SnapshotView } from './snapshot-view.ts';

/** A symbol whose last bar is older than this, in calendar days behind the market's, is left out. */
const MAX_AGE_DAYS = 7;
/** Sessions that a snapshot may lack before it is too old to be served. */
const MAX_SESSIONS_BEHIND = 1;
const DECIMALS = 6;

/** The snapshot that may be served now. Throws when there is none, or it is stale. */
function servable(snapshots: SnapshotView, market: MarketView): LoadedSnapshot {
  const { current } = snapshots;
  const newest = market.maxDay;
  const asOf = current ? parseDay(current.record.asOf) : null;
  const isStale = asOf !== null && newest !== null && sessionsAfter(asOf, newest) > MAX_SESSIONS_BEHIND;
  if (!current || asOf === null || isStale) throw new ServiceError('snapshot_unavailable');
  return current;
}

/** Narrows down by one condition a turn, so that no other request waits for the whole screen. */
async function match(
  columns: FigureColumns,
  conditions: readonly Condition[],
  candidates: readonly number[],
): Promise<number[]> {
  let left = [...candidates];
  for (const condition of cheapestFirst(conditions)) {
    left = narrow(columns, condition, left);
    await nextTurn();
  }
  return left;
}

const ALWAYS = ['close', 'change_pct', 'volume', 'dollar_volume'] as const;

export async function runScreen(
  { snapshots, market }: { readonly snapshots: SnapshotView; readonly market: MarketView },
  request: ScreenRequest,
  locale: Locale,
): Promise<z.input<typeof screenerSchema>> {
  const start = performance.now();
  const { record, columns } = servable(snapshots, market);
  const { conditions, sort, assetTypes, limit, offset } = request;
  const asked = [...conditions, sort];
  const { snapshot } = columns;
  const items = itemsOf(columns, market);
  const newest = parseDay(record.asOf) as number;
  const scanned = freshInstruments(snapshot, newest, MAX_AGE_DAYS).filter((i) =>
    assetTypes.includes(items[i]?.instrument.assetType ?? ''),
  );
  const lookback = lookbackOf(asked);
  const eligible = eligibleInstruments(snapshot, scanned, lookback);
  const hits = sortBy(columns, sort, await match(columns, conditions, eligible));
  const figure = (code: (typeof ALWAYS)[number], i: number) => rounded(columns.get(code, null).at(i));
  const scope = venueScopeOf(snapshot, scanned, lookback);
  return {
    ...{ scanned: scanned.length, eligible: eligible.length, total: hits.length, limit, offset },
    asset_types: [...assetTypes],
    venue_scope: {
      mixed: scope.isMixed,
      consolidated_only: scope.isConsolidatedOnly,
      notes: scope.isConsolidatedOnly ? [] : [mixedNote(locale)],
    },
    elapsed_ms: Math.round(performance.now() - start),
    data_freshness: {
      distribution_mode: market.mode,
      as_of: record.asOf,
      snapshot_exported_at: record.exportedAt.toISOString(),
      delayed: market.mode !== 'realtime',
    },
    items: hits.slice(offset, offset + limit).map((i) => {
      const { qualified, instrument } = items[i] as DirectoryItem;
      return {
        ...{ symbol: qualified, name: instrument.name, asset_type: instrument.assetType },
        primary_venue: instrument.primaryVenue,
        as_of: formatDay(snapshot.bars.day[snapshot.offsets[i + 1] - 1]),
        close: figure('close', i) as number,
        change_pct: figure('change_pct', i),
        volume: Math.round(columns.get('volume', null).at(i)),
        dollar_volume: figure('dollar_volume', i) as number,
        values: valuesOf(columns, asked, i),
      };
    }),
  };
}

const mixedNote = (locale: Locale) => ({
  code: 'mixed_session_source',
  level: NOTE_LEVELS.mixed_session_source,
  message: labelText('backtest.mixed_session_source', locale),
});

const rounded = (value: number) => (Number.isNaN(value) ? null : roundTo(value, DECIMALS));

function valuesOf(columns: FigureColumns, asked: readonly { field: string; period: number | null }[], i: number) {
  return Object.fromEntries(
    asked.map(({ field, period }) => {
      const value = columns.get(field, period).at(i);
      const isFlag = findField(field)?.kind === 'boolean' && !Number.isNaN(value);
      return [figureKey(field, period), isFlag ? value === 1 : rounded(value)];
    }),
  );
}

/** The directory's entry of each instrument of the snapshot; undefined where it is gone meanwhile. */
function itemsOf({ snapshot }: FigureColumns, market: MarketView): (DirectoryItem | undefined)[] {
  const known = itemsOfSnapshot.get(snapshot);
  if (known?.directory === market.directory) return known.items;
  const byId = new Map(market.directory.items.map((item) => [item.id, item]));
  const items = Array.from(snapshot.instrumentIds, (id) => byId.get(id));
  itemsOfSnapshot.set(snapshot, { directory: market.directory, items });
  return items;
}

const itemsOfSnapshot = new WeakMap<object, { directory: object; items: (DirectoryItem | undefined)[] }>();
