/** Watches of an account, and the signals that they gave. */
import { lockUser } from '../../db/accounts/users.ts';
import { isDuplicate } from '../../db/errors.ts';
import { transaction } from '../../db/pool.ts';
import type { ListedSignal } from '../../db/research/signals.ts';
import {
  countWatches,
  deleteWatch,
  insertWatch,
  type NewWatch,
  selectWatch,
  updateWatch,
  type Watch,
} from '../../db/research/watches.ts';
import { EXIT_REASONS } from '../../engine/backtest/execution.ts';
import { roundFigure } from '../../engine/screener/figures.ts';
import { effectiveParameters } from '../../engine/strategies/catalogue.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { PLANS } from '../access/plans.ts';
import { located, parametersFailure } from '../backtests/request.ts';
import type { z } from '../http/input/fields.ts';
import type { ProblemCode } from '../http/input/problems.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { assertAssetTypes, type Directory, findInstrument } from '../market/directory.ts';
import { checkedExpression, resolveStrategy, savedStrategyOf } from '../rules/resolve.ts';
import type { AccountCall } from './strategies.ts';
import type { signalSchema, watchBody, watchChangeBody, watchSchema } from './watch-schemas.ts';

const DEFAULT_ASSET_TYPES = ['stock', 'etf'];

export function watchView(watch: Watch, { items }: Directory): z.input<typeof watchSchema> {
  const { id, name, strategy, strategyId, strategyVersion, params, instrumentIds, screen } = watch;
  const watched = new Set(instrumentIds ?? []);
  return {
    id,
    name,
    strategy,
    rules: strategyId === null ? undefined : { saved: strategyId, version: strategyVersion ?? undefined },
    params,
    symbols: instrumentIds === null ? undefined : symbolsOf(watched, items),
    screen: screen === null ? undefined : { where: screen.where, asset_type: [...screen.assetTypes] },
    mail: watch.sendsMail,
    created_at: watch.createdAt.toISOString(),
  };
}

function symbolsOf(ids: ReadonlySet<number>, items: Directory['items']): string[] {
  return items
    .filter(({ id }) => ids.has(id))
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

export async function createWatch(call: AccountCall, body: z.output<typeof watchBody>) {
  const { services, caller } = call;
  const watch = await watchOf(call, body);
  const { userId } = caller.account;
  const max = PLANS[caller.plan].quotas.watches_max;
  try {
    const id = await transaction(services.pool, async (connection) => {
      await lockUser(connection, userId);
      const count = (await countWatches(connection, userId)) + 1;
      if (count > max)
        throw new ServiceError('quota_exceeded', { plan: caller.plan, quota: 'watches_max', max, count });
      return insertWatch(connection, watch);
    });
    return watchView({ ...watch, id }, services.market.directory);
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('name_taken', { name: body.name });
    throw error;
  }
}

/** The watch of a body. Throws where its strategy, its parameters, its symbols, or its screen are wrong. */
async function watchOf(call: AccountCall, body: z.output<typeof watchBody>): Promise<NewWatch> {
  const { services, caller } = call;
  const { directory } = services.market;
  const { name, strategy: code, rules, symbols, screen, mail } = body;
  if ((symbols === undefined) === (screen === undefined)) refuse('symbols', 'symbols_or_screen');
  const own = await savedStrategyOf(call, rules);
  const params = located(body.params, ['body', 'params']);
  const given = Object.fromEntries(Object.entries(params).map(([parameter, { value }]) => [parameter, value]));
  const { strategy } = resolveStrategy(code, rules, given, own);
  const effective = effectiveParameters(strategy, given);
  if ('faults' in effective) throw parametersFailure(strategy, params, effective.faults);
  return {
    userId: caller.account.userId,
    name,
    strategy: code,
    strategyId: own?.id ?? null,
    strategyVersion: rules?.version ?? null,
    params: effective.values,
    instrumentIds: symbols?.map((symbol) => findInstrument(directory, symbol).id) ?? null,
    screen: screen === undefined ? null : screenOf(screen, directory),
    sendsMail: mail,
    createdAt: new Date(services.now()),
  };
}

function screenOf(
  { where, asset_type }: NonNullable<z.output<typeof watchBody>['screen']>,
  directory: Directory,
): Watch['screen'] {
  checkedExpression(where, 'condition', ['body', 'screen', 'where']);
  const assetTypes = asset_type === undefined ? DEFAULT_ASSET_TYPES : [...new Set([asset_type].flat())];
  assertAssetTypes(directory, assetTypes);
  return { where, assetTypes };
}

function refuse(field: string, code: ProblemCode): never {
  throw new ValidationFailure([{ loc: ['body', field], type: 'watch', problem: { code } }]);
}

export async function changeWatch(
  { services, caller }: AccountCall,
  id: number,
  { name, mail }: z.output<typeof watchChangeBody>,
): Promise<z.input<typeof watchSchema>> {
  try {
    const watch = found(await updateWatch(services.pool, caller.account.userId, id, { name, sendsMail: mail }));
    return watchView(watch, services.market.directory);
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('name_taken', { name: name ?? '' });
    throw error;
  }
}

export async function watchOfAccount({ services, caller }: AccountCall, id: number) {
  return watchView(found(await selectWatch(services.pool, caller.account.userId, id)), services.market.directory);
}

export async function removeWatch({ services: { pool }, caller }: AccountCall, id: number) {
  found(await deleteWatch(pool, caller.account.userId, id));
  return { deleted: true } as const;
}
