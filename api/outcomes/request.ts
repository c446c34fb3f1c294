/** Checks the body of a call that asks what happened next, and makes a specification of it. */
import { ENTRIES } from '../../engine/outcomes/panel.ts';
import { COMPARES } from '../../engine/outcomes/returns.ts';
import type { OutcomesSpec } from '../../jobs/contracts/outcomes.ts';
import { MAX_PORTFOLIO_SYMBOLS } from '../../jobs/contracts/portfolio.ts';
import { assertPlanHas, assertWithin } from '../access/plans.ts';
import { adjustMode, flatBody } from '../backtests/request.ts';
import { rangeSpecOf } from '../factors/request.ts';
import { symbolField, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import { findSymbols } from '../market/symbol-list.ts';
import { membersOf } from '../portfolios/rotation.ts';
import { universeField } from '../portfolios/rotation-fields.ts';
import { ruleText } from '../rules/fields.ts';
import { columnsNamed, readableColumns } from '../rules/own-columns.ts';
import { checkedExpression, namedInstruments } from '../rules/resolve.ts';
import { specInstrument } from '../runs/comparison.ts';
import type { ScreenCall } from '../screener/services.ts';

const { time_range, start, end, save } = flatBody.shape;
const MAX_SESSIONS = 252;

export const outcomesBody = z.strictObject({
  condition: ruleText.meta({
    description: 'A condition, which may compare the members: each session at which it is true is a hit',
    example: 'crosses_above(sma(20), sma(50))',
  }),
  for: z
    .array(symbolField)
    .min(1)
    .max(MAX_PORTFOLIO_SYMBOLS)
    .optional()
    .meta({ description: 'Members whose hits count. Default: all' }),
  universe: universeField
    .optional()
    .meta({ description: 'Default: all of the type of the first of `for`, or else all stocks' }),
  first: z
    .union([z.boolean(), z.strictObject({ sessions: z.int().min(1).max(MAX_SESSIONS) })])
    .default(true)
    .meta({
      description: 'Whether a hit is only the beginning of a state; with `sessions`, and none lies so many before it',
    }),
  horizons: z
    .array(z.int().min(1).max(MAX_SESSIONS))
    .min(1)
    .max(5)
    .default([1, 5, 20])
    .meta({ description: 'Sessions after a hit' }),
  entry: z.enum(ENTRIES).default('close').meta({ description: 'The close of the hit, or the next own open' }),
  compare: z.enum(COMPARES).default('same_day').meta({
    description: 'With the others on the same days, with the instrument on all days, or with nothing',
  }),
  by: ruleText
    .optional()
    .meta({ description: 'A condition that hits are told apart by', example: "of('SPY', close > sma(200))" }),
  adjust: adjustMode.prefault('total'),
  time_range,
  start,
  end,
  save,
});
type OutcomesBody = z.output<typeof outcomesBody>;

/** Throws, with the place, for everything that can be known to be wrong before it is computed. */
export async function outcomesSpecOf(call: ScreenCall, body: OutcomesBody): Promise<OutcomesSpec> {
  const { market } = call.services;
  assertPlanHas(call.caller, 'rotation_members_max');
  const twice = body.horizons.findIndex((horizon, i) => body.horizons.indexOf(horizon) < i);
  if (twice >= 0) refuse(['body', 'horizons', twice], { code: 'repeated' });
  const { condition, by } = body;
  const wanted = body.for && findSymbols(market.directory, body.for, false, ['body', 'for']).items;
  const given = body.universe ?? { all: true as const, asset_type: wanted?.[0].instrument.assetType ?? 'stock' };
  const { where } = given;
  const columns = await readableColumns(call, [condition, by, where]);
  const texts: [string | undefined, (string | number)[]][] = [
    [condition, ['body', 'condition']],
    [by, ['body', 'by']],
    [where, ['body', 'universe', 'where']],
  ];
  const rules = texts.flatMap(([text, loc]) =>
    text === undefined ? [] : [checkedExpression(text, 'condition', loc, 'peers', columns)],
  );
  const universe = membersOf(given, market);
  const { instruments, assetTypes } = universe;
  const ofTypes = market.directory.items.filter(({ instrument }) => assetTypes?.includes(instrument.assetType) ?? true);
  assertWithin(call.caller, 'rotation_members_max', instruments?.length ?? ofTypes.length);
  const members = new Set(instruments?.map(({ instrumentId }) => instrumentId) ?? ofTypes.map(({ id }) => id));
  const stranger = wanted?.find(({ id }) => !members.has(id));
  if (stranger) refuse(['body', 'for'], { code: 'not_in_universe', details: { symbol: stranger.qualified } });
  return {
    ...rangeSpecOf(body, market),
    universe,
    where: where ?? null,
    condition,
    by: by ?? null,
    wanted: wanted?.map(specInstrument) ?? null,
    beginnings: body.first,
    horizons: body.horizons,
    entry: body.entry,
    compare: body.compare,
    others: namedInstruments(
      rules.flatMap(({ tickers }) => tickers),
      market.directory,
    ),
    columns: columnsNamed(columns, new Set(rules.flatMap(({ columnNames }) => [...columnNames]))),
  };
}
