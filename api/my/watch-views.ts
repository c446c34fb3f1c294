/** Watches of an account and their signals, as answers show them. */
import type { ListedSignal } from '../../db/research/signals.ts';
import { selectWatchedRules, type Watch } from '../../db/research/watches.ts';
import type { WatchedScreen } from '../../db/schema/research.ts';
import { EXIT_REASONS } from '../../engine/backtest/execution.ts';
import { roundFigure } from '../../engine/screener/figures.ts';
import { countView, rotationSpecSchema, universeView } from '../../jobs/contracts/rotation.ts';
import { usableColumns } from '../../jobs/runs/own-columns.ts';
import { columnNamesOf } from '../../jobs/signals/named.ts';
import { instant, z } from '../http/input/fields.ts';
import type { Directory } from '../market/directory.ts';
import { countSchema, universeSchema } from '../runs/schemas.ts';
import type { AccountCall } from './strategies.ts';

const parameter = z.union([z.number(), z.string().max(64), z.boolean()]);

export const watchSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    strategy: z.string(),
    rules: z.object({ saved: z.int(), version: z.int().optional() }).optional(),
    params: z.record(z.string(), parameter),
    symbols: z.array(z.string()).optional(),
    screen: z
      .object({
        where: z.string(),
        asset_type: z.array(z.string()),
        symbols: z.array(z.string()).optional(),
      })
      .optional(),
    rotation: z
      .object({
        score: z.string(),
        every: z.string().meta({ description: '`sessions` for every so many sessions' }),
        order: z.enum(['asc', 'desc']),
        hold: countSchema,
        universe: universeSchema,
      })
      .optional(),
    mail: z.boolean(),
    missing_columns: z
      .array(z.string())
      .optional()
      .meta({ description: 'Columns that its rules name and that were deleted: without them it gives no signals' }),
    evaluated: z.iso.date().nullable().meta({ description: 'The newest evaluated session; null: not yet, but soon' }),
    created_at: instant,
  })
  .meta({ id: 'Watch' });

export const signalSchema = z
  .object({
    watch: z.object({ id: z.int(), name: z.string() }),
    symbol: z.string(),
    date: z.iso.date(),
    kind: z.enum(['entry', 'exit']),
    reason: z.enum(EXIT_REASONS).meta({ description: 'Of an exit; `signal` for an entry' }),
    close: z.number(),
    values: z
      .record(z.string(), z.number().nullable())
      .meta({ description: 'The values that the rule compares, by their text; null if undefined' }),
    corrected: z
      .boolean()
      .meta({ description: 'The session was evaluated before, over other data, with other signals' }),
  })
  .meta({ id: 'Signal' });

/** Watches of an account, and which columns they lack. */
export async function watchViews({ services, caller }: AccountCall, watches: readonly Watch[]) {
  const { pool, market } = services;
  const rules = await selectWatchedRules(
    pool,
    watches.map(({ id }) => id),
  );
  const named = watches.map((watch) => [...columnNamesOf({ ...watch, rules: rules.get(watch.id) ?? null })]);
  const columns = named.some(({ length }) => length > 0) ? await usableColumns(pool, caller.account.userId) : [];
  const known = new Set(columns.map(({ name }) => name));
  return watches.map((watch, i) =>
    watchView(
      watch,
      market.directory,
      named[i].filter((name) => !known.has(name)),
    ),
  );
}

export function watchView(
  watch: Watch,
  directory: Directory,
  missing: readonly string[] = [],
): z.input<typeof watchSchema> {
  const { id, name, strategy, strategyId, strategyVersion, params, instrumentIds, screen, rotation } = watch;
  return {
    id,
    name,
    strategy,
    rules: strategyId === null ? undefined : { saved: strategyId, version: strategyVersion ?? undefined },
    params,
    symbols: instrumentIds === null ? undefined : symbolsOf(instrumentIds, directory),
    screen: screen === null ? undefined : screenView(screen, directory),
    rotation: rotation === null ? undefined : rotationOf(rotation),
    mail: watch.sendsMail,
    ...(missing.length > 0 && { missing_columns: [...missing] }),
    evaluated: watch.evaluated,
    created_at: watch.createdAt.toISOString(),
  };
}

function rotationOf(rotation: object) {
  const { texts, every, order, hold, universe } = rotationSpecSchema.parse(rotation);
  return {
    score: texts.score,
    every: typeof every === 'string' ? every : 'sessions',
    order,
    hold: countView(hold),
    universe: universeView({ universe, texts }),
  };
}

function screenView({ where, assetTypes, ids }: WatchedScreen, directory: Directory) {
  return { where, asset_type: [...assetTypes], symbols: ids && symbolsOf(ids, directory) };
}

function symbolsOf(ids: readonly number[], { items }: Directory): string[] {
  const listed = new Set(ids);
  return items
    .filter(({ id }) => listed.has(id))
    .map(({ qualified }) => qualified)
    .sort();
}

export function signalView(signal: ListedSignal): z.input<typeof signalSchema> {
  const { watchId, watch, symbol, session, kind, reason, close, figures, isCorrection } = signal;
  const rounded = Object.entries(figures).map(([text, figure]) => [text, figure === null ? null : roundFigure(figure)]);
  return {
    watch: { id: watchId, name: watch },
    symbol,
    date: session,
    kind,
    reason: EXIT_REASONS.find((known) => known === reason) ?? 'signal',
    close: roundFigure(close),
    values: Object.fromEntries(rounded),
    corrected: isCorrection,
  };
}
