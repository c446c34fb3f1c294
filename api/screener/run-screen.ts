/** Runs a screen. */
import { type Day, formatDay, parseDay } from '../../engine/market/dates.ts';
import { readLevels } from '../../engine/rules/strategy.ts';
import { requireComparison } from '../../engine/screener/comparisons.ts';
import { ruleOf } from '../../engine/screener/field-rules.ts';
import { requireField } from '../../engine/screener/fields.ts';
import { roundFigure } from '../../engine/screener/figures.ts';
import {
  type Condition,
  type FigureColumns,
  figureKey,
  sortByFigure,
  venueScopeOf,
} from '../../engine/screener/screen.ts';
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { FOLLOWED_BARS, type ScreenHistory } from '../../jobs/contracts/screen.ts';
import { isSnapshotStale } from '../../jobs/quality/freshness.ts';
import { NOTE_LEVELS, type NoteCode } from '../../jobs/runs/notes.ts';
import type { z } from '../http/input/fields.ts';
import { labelText } from '../http/language/labels.ts';
import type { Locale } from '../http/language/locale.ts';
import type { DirectoryItem } from '../market/directory.ts';
import type { PastItem } from '../market/directory-as-of.ts';
import { suspectNotes } from '../market/doubts.ts';
import type { MarketView } from '../market/market-view.ts';
import { evaluate, itemAt, type Listing, listingOf, RULE_STRIDE, TimeSlices } from './evaluate.ts';
import type { LoadedSnapshot } from './read-snapshot.ts';
import type { ScreenRequest } from './request.ts';
import { OF_SNAPSHOT, type RuleSource } from './rule-source.ts';
import type { screenerSchema } from './schemas.ts';
import { comparedIn } from './screen-rules.ts';
import type { SnapshotView } from './snapshot-view.ts';

/** The current snapshot. Throws when there is none, or when it is stale. */
export function requireFreshSnapshot(snapshots: SnapshotView, market: MarketView): LoadedSnapshot {
  const { current } = snapshots;
  const newest = market.newestSession;
  const asOf = current ? parseDay(current.record.asOf) : null;
  const isStale = asOf !== null && newest !== null && isSnapshotStale(asOf, newest);
  if (!current || asOf === null || isStale) throw new ServiceError('snapshot_unavailable', market.whyNotReady);
  return current;
}

const ALWAYS = ['close', 'change_pct', 'volume', 'dollar_volume'] as const;

type Answer = z.input<typeof screenerSchema>;

/** A screen on the current snapshot. */
export function runScreen(
  { snapshots, market }: { readonly snapshots: SnapshotView; readonly market: MarketView },
  request: ScreenRequest,
  locale: Locale,
): Promise<Answer> {
  const setting = { locale, asOf: null, rules: OF_SNAPSHOT, history: null };
  return screenOver(requireFreshSnapshot(snapshots, market), market, request, setting);
}

interface ScreenSetting {
  readonly locale: Locale;
  /** The past day of the screen; null: today. */
  readonly asOf: Day | null;
  readonly rules: RuleSource;
  /** Null: not asked for. */
  readonly history: ScreenHistory | null;
}

/** A screen on a snapshot. */
export async function screenOver(
  { record, columns, columnsBefore }: LoadedSnapshot,
  market: MarketView,
  request: ScreenRequest,
  { locale, asOf, rules, history }: ScreenSetting,
): Promise<Answer> {
  const start = performance.now();
  const listing = listingOf(columns.view.snapshot, market, asOf);
  const slices = new TimeSlices();
  const { conditions, where, sort, members, limit, offset } = request;
  const { scanned, eligible, remaining, hits, lookback } = await evaluate(columns, request, listing, slices, rules);
  const before = columnsBefore && (await evaluate(columnsBefore, request, listing, slices, rules));
  const isByRule = 'by' in sort;
  const order = isByRule ? rules.columnOf(columns.view, sort.by) : columns.get(sort.field, sort.period);
  // Computed in slices first, because sorting cannot be interrupted.
  await slices.each(hits, (i) => order.at(i), isByRule ? RULE_STRIDE : undefined);
  const sorted = sortByFigure(order, sort.order, listing.ranks, [...hits]);
  const scope = venueScopeOf(columns.view, scanned, lookback);
  const daysIn = history && new Map(history.daysIn.map(({ id, count }) => [id, count]));
  const shown = sorted.slice(offset, offset + limit);
  const { offsets, bars } = columns.view.snapshot;
  const spans = shown.map((i) => {
    const end = columns.view.ends[i];
    const first = Math.max(offsets[i], end - Math.max(lookback, 2));
    return { item: itemAt(listing, i), start: bars.day[first], end: bars.day[end - 1] };
  });
  const ruled = request.columns.map(({ name, rule }) => ({ name, figures: rules.columnOf(columns.view, rule) }));
  const items: Answer['items'] = [];
  const show = (i: number) => {
    const figures = ruled.map((column): [string, number | null] => [column.name, definedOrNull(column.figures.at(i))]);
    items.push({
      ...itemOf(columns, request, itemAt(listing, i), i),
      columns: ruled.length === 0 ? undefined : Object.fromEntries(figures),
      days_in: daysIn?.get(columns.view.snapshot.instrumentIds[i]),
    });
  };
  await slices.each(shown, show, RULE_STRIDE);
  return {
    scanned: scanned.length,
    eligible: eligible.length,
    total: hits.length,
    limit,
    offset,
    asset_types: [...members.assetTypes],
    not_scanned: members.ids === null ? undefined : symbolsOutside(members.ids, scanned, columns, market),
    funnel: [
      ...conditions.map((condition) => ({ condition: conditionView(condition), rule: ruleOf(condition) })),
      ...where.map(({ text }) => ({ condition: { where: text }, rule: text })),
    ].map((step, i) => ({ ...step, values: comparedIn(step.rule), remaining: remaining[i] })),
    changes: before && changesOf(hits, before.hits, listing),
    venue_scope: {
      mixed: scope.isMixed || rules.isMixed,
      consolidated_only: scope.isConsolidatedOnly && !rules.isMixed,
      notes: scope.isConsolidatedOnly && !rules.isMixed ? [] : [noteOf('mixed_session_source', locale)],
    },
    elapsed_ms: Math.round(performance.now() - start),
    data_freshness: {
      distribution_mode: market.mode,
      as_of: record.asOf,
      snapshot_exported_at: record.exportedAt.toISOString(),
      delayed: market.mode !== 'realtime',
    },
    history: history ? historyView(history, request, columns.view.snapshot, listing) : undefined,
    notes: [
      ...levelNotes(
        request,
        eligible.map((i) => itemAt(listing, i)),
        locale,
      ),
      ...suspectNotes(market, spans, locale),
    ],
    items,
  };
}

/** The listed instruments that have no recent bar, by symbol. */
function symbolsOutside(
  ids: readonly number[],
  scanned: readonly number[],
  { view }: FigureColumns,
  { directory }: MarketView,
): string[] {
  const left = new Set(ids);
  for (const i of scanned) left.delete(view.snapshot.instrumentIds[i]);
  return directory.items
    .filter(({ id }) => left.has(id))
    .map(({ qualified }) => qualified)
    .sort();
}

function itemOf(
  columns: FigureColumns,
  { conditions, sort, closes }: ScreenRequest,
  item: DirectoryItem | PastItem,
  i: number,
): Answer['items'][number] {
  const { qualified, instrument } = item;
  const { snapshot, ends } = columns.view;
  const figure = (code: (typeof ALWAYS)[number]) => columns.get(code, null).at(i);
  return {
    symbol: qualified,
    current_symbol: 'currentSymbol' in item ? item.currentSymbol : undefined,
    name: instrument.name,
    asset_type: instrument.assetType,
    primary_venue: instrument.primaryVenue,
    as_of: formatDay(snapshot.bars.day[ends[i] - 1]),
    close: figure('close'),
    change_pct: definedOrNull(figure('change_pct')),
    volume: Math.round(figure('volume')),
    dollar_volume: figure('dollar_volume'),
    values: valuesOf(columns, 'by' in sort ? conditions : [...conditions, sort], i),
    closes: closes === 0 ? undefined : closesOf(columns, closes, i),
  };
}

/** The newest closes of instrument i, oldest first. */
function closesOf({ view }: FigureColumns, count: number, i: number): number[] {
  const { bars, offsets } = view.snapshot;
  const split = view.splits?.[i] ?? 1;
  const from = Math.max(offsets[i], view.ends[i] - count);
  return Array.from(bars.close.subarray(from, view.ends[i]), (close) => roundFigure(close / split));
}

/** A condition in the form in which callers send it. */
export function conditionView({ field, op, period, value, value2 }: Condition) {
  const arity = requireComparison(op).arity;
  return {
    field,
    op,
    ...(period === null ? {} : { period }),
    ...(arity >= 1 ? { value } : {}),
    ...(arity === 2 ? { value2 } : {}),
  };
}

/** The note that levels of prices decide where some prices are adjusted. */
function levelNotes({ conditions, where }: ScreenRequest, items: readonly DirectoryItem[], locale: Locale) {
  if (items.every(({ instrument }) => instrument.prices === 'as_traded')) return [];
  const rules = [...conditions.map(ruleOf), ...where.map(({ text }) => text)];
  const isOfLevels = rules.some((entry) => entry !== null && readLevels({ entry }));
  return isOfLevels ? [noteOf('levels_as_adjusted', locale)] : [];
}

const noteOf = <Code extends NoteCode>(code: Code, locale: Locale) => ({
  code,
  level: NOTE_LEVELS[code],
  message: labelText(`backtest.${code}`, locale),
});

const definedOrNull = (value: number) => (Number.isNaN(value) ? null : value);

function valuesOf(columns: FigureColumns, asked: readonly { field: string; period: number | null }[], i: number) {
  return Object.fromEntries(
    asked.map(({ field, period }) => {
      const value = columns.get(field, period).at(i);
      const isFlag = requireField(field).kind === 'boolean' && !Number.isNaN(value);
      return [figureKey(field, period), isFlag ? value === 1 : definedOrNull(value)];
    }),
  );
}

/** Symbols that match at one of the two sessions only, sorted. */
function changesOf(now: readonly number[], before: readonly number[], listing: Listing) {
  const symbolsOnlyIn = (these: readonly number[], others: readonly number[]) => {
    const known = new Set(others);
    const only = these.filter((i) => !known.has(i)).sort((a, b) => listing.ranks[a] - listing.ranks[b]);
    return only.map((i) => itemAt(listing, i).qualified);
  };
  return { entered: symbolsOnlyIn(now, before), left: symbolsOnlyIn(before, now) };
}

type Changes = NonNullable<ScreenHistory['changes']>;
type Medians = ScreenHistory['medians']['all'];
type Followed = ScreenHistory['followed']['all'];

function historyView(
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
