/** Watches of an account, and their signals. */
import { lockUser } from '../../db/accounts/users.ts';
import { isDuplicate } from '../../db/errors.ts';
import { transaction } from '../../db/pool.ts';
import {
  countWatches,
  deleteWatch,
  insertWatch,
  type NewWatch,
  selectWatch,
  updateWatch,
  type Watch,
} from '../../db/research/watches.ts';
import { selectKeptRun } from '../../db/runs/kept-runs.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { effectiveParameters } from '../../engine/strategies/catalogue.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { isRotationOf, rotationSpecSchema } from '../../jobs/contracts/rotation.ts';
import { MAX_WATCHED, SCREEN_ITSELF } from '../../jobs/contracts/signals.ts';
import { portfolioSummary } from '../../jobs/portfolio/summary.ts';
import { sendUnlessWaiting } from '../../jobs/queue/send.ts';
import { PLANS } from '../access/plans.ts';
import { located, parametersFailure, strategyName } from '../backtests/request.ts';
import { idNumber, symbolField, text, z } from '../http/input/fields.ts';
import type { ProblemCode } from '../http/input/problems.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { findInstrument } from '../market/directory.ts';
import { memberFields, readMembers } from '../market/members.ts';
import { whereField } from '../rules/fields.ts';
import { readableColumns } from '../rules/own-columns.ts';
import { checkedExpression, namedInstruments, othersIn, ownResearchOf, resolveStrategy } from '../rules/resolve.ts';
import type { AccountCall } from './strategies.ts';
import { type watchSchema, watchView, watchViews } from './watch-views.ts';

const screenField = z.strictObject({ where: whereField, ...memberFields(MAX_WATCHED) }).meta({
  description: `The first ${MAX_WATCHED} instruments, by symbol, for which the condition holds at the session`,
});

const watchName = text(1, 100).meta({ description: 'Unique in the account', example: 'Breakouts' });
const mailField = z.boolean().meta({ description: 'Whether its signals are in the daily mail' });

export const watchBody = z.strictObject({
  name: watchName,
  strategy: strategyName.optional().meta({
    description:
      `\`rules\` with \`rules\`, or a built-in strategy. A \`screen\` without one is watched itself: who newly passes is an entry, ` +
      `who no longer does an exit, ${MAX_WATCHED} at most. Not with \`portfolio\``,
  }),
  rules: z
    .strictObject({ saved: idNumber, version: z.int().min(1).optional() })
    .optional()
    .meta({ description: 'A strategy of `/v1/my/strategies`; without `version`, always the newest' }),
  params: z.record(z.string().max(64), z.unknown()).optional(),
  symbols: z
    .array(symbolField)
    .min(1)
    .max(MAX_WATCHED)
    .optional()
    .meta({ description: 'One of `symbols`, `screen`, and `portfolio` is required' }),
  screen: screenField.optional(),
  portfolio: idNumber.optional().meta({
    description:
      'A kept rotation, watched from its first session on: at each rebalance its purchases are entries and its sales exits, with ' +
      'the new `weight` and the `change` as shares of the equity',
  }),
  mail: mailField.default(false),
});

export const WATCH_EXAMPLE: z.input<typeof watchBody> = {
  name: 'Crossovers',
  strategy: 'sma_cross',
  params: { fast_period: 10, slow_period: 30 },
  symbols: ['ACRX.US', 'BRVA.US'],
  mail: true,
};

export const watchChangeBody = z.strictObject({ name: watchName.optional(), mail: mailField.optional() });

export async function createWatch(call: AccountCall, body: z.output<typeof watchBody>) {
  const { services, caller } = call;
  const watch = body.portfolio === undefined ? await watchOf(call, body) : await rotationWatchOf(call, body);
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
    await sendUnlessWaiting(services.boss, 'signals.evaluate', { requestId: null });
    return watchView({ ...watch, id, evaluated: null }, services.market.directory);
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('name_taken', { name: body.name });
    throw error;
  }
}

/** The watch of a body. Throws if its strategy, parameters, symbols, or screen are invalid. */
async function watchOf(call: AccountCall, body: z.output<typeof watchBody>): Promise<NewWatch> {
  const { services, caller } = call;
  const { directory } = services.market;
  const { name, strategy: code, rules, symbols, screen, mail } = body;
  if (code === undefined && screen === undefined) refuse('strategy', 'required');
  if ((symbols === undefined) === (screen === undefined)) refuse('symbols', 'symbols_or_screen');
  const common = {
    userId: caller.account.userId,
    name,
    instrumentIds: symbols?.map((symbol) => findInstrument(directory, symbol).id) ?? null,
    screen: screen === undefined ? null : await screenOf(call, screen),
    rotation: null,
    sendsMail: mail,
    createdAt: new Date(services.now()),
  };
  if (code === undefined) {
    const field = (['rules', 'params'] as const).find((one) => body[one] !== undefined);
    if (field !== undefined) refuse(field, 'only_with', { name: 'strategy' });
    return { ...common, strategy: SCREEN_ITSELF, strategyId: null, strategyVersion: null, params: {} };
  }
  const own = await ownResearchOf(call, rules);
  const params = located(body.params, ['body', 'params']);
  const given = Object.fromEntries(Object.entries(params).map(([parameter, { value }]) => [parameter, value]));
  const { strategy, rules: texts } = resolveStrategy(code, rules, given, own);
  othersIn(texts, directory);
  const effective = effectiveParameters(strategy, given);
  if ('refused' in effective) throw parametersFailure(strategy, params, effective.refused);
  return {
    ...common,
    strategy: code,
    strategyId: own.strategy?.id ?? null,
    strategyVersion: rules?.version ?? null,
    params: effective.values,
  };
}

/** The watch of a kept rotation. It goes on from the first session of the run, so that its schedule stays. */
async function rotationWatchOf(
  { services, caller }: AccountCall,
  { name, portfolio, mail, ...others }: z.output<typeof watchBody>,
): Promise<NewWatch> {
  for (const field of ['strategy', 'rules', 'params', 'symbols', 'screen'] as const)
    if (others[field] !== undefined) refuse(field, 'not_together', { name: 'portfolio' });
  const { userId } = caller.account;
  const saved = found(await selectKeptRun(services.pool, { kind: 'portfolio', userId, id: portfolio ?? 0 }));
  if (!isRotationOf(saved)) refuse('portfolio', 'only_with', { name: 'rotation' });
  const { tearSheet: _sheet, ...spec } = rotationSpecSchema.parse(saved.spec);
  const start = spec.start ?? requireDay(portfolioSummary(saved.summary).start_date);
  return {
    userId,
    name,
    strategy: spec.strategy,
    strategyId: null,
    strategyVersion: null,
    params: spec.params,
    instrumentIds: null,
    screen: null,
    rotation: { ...spec, start, survivors: false },
    sendsMail: mail,
    createdAt: new Date(services.now()),
  };
}

async function screenOf(
  call: AccountCall,
  { where, asset_type, symbols }: NonNullable<z.output<typeof watchBody>['screen']>,
): Promise<Watch['screen']> {
  const { directory } = call.services.market;
  const columns = await readableColumns(call, [where]);
  const { tickers } = checkedExpression(where, 'condition', ['body', 'screen', 'where'], 'peers', columns);
  namedInstruments(tickers, directory);
  const { assetTypes, ids } = readMembers({ asset_type, symbols }, directory, ['body', 'screen', 'symbols']);
  return { where, assetTypes, ...(ids && { ids }) };
}

function refuse(field: string, code: ProblemCode, details = {}): never {
  throw new ValidationFailure([{ loc: ['body', field], type: 'watch', problem: { code, details } }]);
}

export async function changeWatch(
  call: AccountCall,
  id: number,
  { name, mail }: z.output<typeof watchChangeBody>,
): Promise<z.input<typeof watchSchema>> {
  const { services, caller } = call;
  try {
    const watch = found(await updateWatch(services.pool, caller.account.userId, id, { name, sendsMail: mail }));
    return (await watchViews(call, [watch]))[0];
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('name_taken', { name: name ?? '' });
    throw error;
  }
}

export async function watchOfAccount(call: AccountCall, id: number) {
  const { services, caller } = call;
  const watch = found(await selectWatch(services.pool, caller.account.userId, id));
  return (await watchViews(call, [watch]))[0];
}

export async function removeWatch({ services: { pool }, caller }: AccountCall, id: number) {
  found(await deleteWatch(pool, caller.account.userId, id));
  return { deleted: true } as const;
}
