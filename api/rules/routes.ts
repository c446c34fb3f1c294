/** Rules for editors and charts: `/v1/rules/check`, `/v1/rules/values`. */
import { knownColumns } from '../../engine/market/own-columns.ts';
import { checkRule } from '../../engine/rules/check.ts';
import { callOf, completionsAt, type RulePlace } from '../../engine/rules/complete.ts';
import { usageOf } from '../../engine/rules/functions/catalogue.ts';
import { MAX_TEXT } from '../../engine/rules/lexer.ts';
import { ParameterUses } from '../../engine/rules/parameter-uses.ts';
import { RESERVED_PARAMETERS } from '../../engine/rules/strategy.ts';
import { RULE_PARTS } from '../../engine/strategies/strategy.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import type { Route } from '../call/route.ts';
import { fieldErrors } from '../http/errors/error-body.ts';
import { assertDayRange, symbolField, z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { findInstrument } from '../market/directory.ts';
import { klineQuery } from '../market/kline.ts';
import { ruleFailure } from './failures.ts';
import { readableColumns } from './own-columns.ts';
import { defineRoute, type Services } from './resolve.ts';
import { MAX_VALUES, readValues, valuesOf, valuesSchema } from './values.ts';

/** The place of a rule: a part of a strategy, the condition or a value of a screen, or the score or the filter of a rotation. */
const PARTS = [...RULE_PARTS, 'where', 'value', 'score', 'market_filter'] as const;
const place = z.object({ from: z.int(), to: z.int() });

const checkBody = z.strictObject({
  text: z.string().max(10 * MAX_TEXT),
  part: z.enum(PARTS).default('entry'),
  peers: z.boolean().default(false).meta({
    description: 'Whether it is of a portfolio, so that it may compare instruments. Screens and scores always may',
  }),
  cursor: z.int().min(0).optional().meta({ description: 'Default: the end of the text' }),
});

const checkSchema = z
  .object({
    problems: z.array(z.object({ msg: z.string(), position: place, expected: z.array(z.string()) })),
    parameters: z.array(z.object({ name: z.string(), min: z.number(), max: z.number() })),
    completions: z
      .object({
        position: place,
        choices: z.array(z.object({ text: z.string(), usage: z.string(), description: z.string() })),
      })
      .meta({ description: 'What could be written at the cursor, in place of the text at `position`' }),
  })
  .meta({ id: 'RuleCheck' });

const VALUES: readonly string[] = ['stop', 'trail', 'value', 'score'];
const OF_POSITIONS: readonly string[] = ['exit', 'stop', 'trail'];
const OF_SCREENS: readonly string[] = ['where', 'value', 'score'];
const WITHOUT_PARAMETERS: readonly string[] = ['where', 'value'];

/** The names that a rule may use in a part. */
function placeOf({ part, peers }: Pick<CheckBody, 'part' | 'peers'>): RulePlace {
  const mayCompare = (peers && part !== 'market_filter') || OF_SCREENS.includes(part);
  const market = mayCompare ? 'peers' : part === 'market_filter' ? 'others' : undefined;
  return { mayUsePosition: OF_POSITIONS.includes(part), market };
}

type CheckBody = z.output<typeof checkBody>;

function checked(
  { text, part, peers }: CheckBody,
  locale: Locale,
  columns: readonly UsedColumn[] | undefined,
): Pick<z.input<typeof checkSchema>, 'problems' | 'parameters'> {
  const uses = WITHOUT_PARAMETERS.includes(part) ? null : new ParameterUses(RESERVED_PARAMETERS);
  const found = checkRule(text, {
    result: VALUES.includes(part) ? 'value' : 'condition',
    ...placeOf({ part, peers }),
    parameters: uses,
    columns: columns && knownColumns(columns),
  });
  const wrong = 'problems' in found ? found.problems.map((problem) => ({ loc: [part], text, problem })) : [];
  const problems = fieldErrors(ruleFailure(wrong), locale).map(({ msg, position, expected }) => ({
    msg,
    position: position ?? { from: 0, to: text.length },
    expected: [...(expected ?? [])],
  }));
  return { problems, parameters: [...(uses?.all ?? [])].map(([name, { min, max }]) => ({ name, min, max })) };
}

function completions(
  { text, part, peers, cursor = text.length }: CheckBody,
  locale: Locale,
  columns: readonly UsedColumn[] | undefined,
) {
  const names = columns?.map(({ name }) => name);
  const { at, signs, functions } = completionsAt(text, cursor, placeOf({ part, peers }), names);
  return {
    position: at,
    choices: [
      ...signs.map((sign) => ({ text: sign, usage: sign, description: '' })),
      ...functions.map((fn) => ({ text: callOf(fn), usage: usageOf(fn), description: fn.description[locale] })),
    ],
  };
}

export const RULE_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'verifyRule',
    method: 'post',
    path: '/v1/rules/check',
    tag: 'Own strategies',
    summary: 'Check a rule while it is written',
    description:
      'The problems of the rule with their positions, its parameters, and what could be written at the cursor.',
    access: 'anyone',
    limit: 'public',
    bodySchema: checkBody,
    bodyExample: { text: 'close > highest(55) and vol', part: 'entry' },
    dataSchema: checkSchema,
    errors: [],
    handle: async ({ body, caller, services, context: { locale } }) => {
      const columns = await readableColumns({ services, caller }, [body.text]);
      return { ...checked(body, locale, columns), completions: completions(body, locale, columns) };
    },
  }),
  defineRoute({
    operationId: 'getRuleValues',
    method: 'get',
    path: '/v1/rules/values/{symbol}',
    tag: 'Own strategies',
    summary: 'Get values of the language of rules over the candles of a symbol',
    description:
      'What `/v1/kline` with the same `period` and `adjust` shows, as indicators: each value is computed over all candles ' +
      'from the first on, with the indicators of backtests, and is null where it is undefined.',
    access: 'anyone',
    limit: 'kline',
    pathSchema: z.object({ symbol: symbolField.meta({ example: 'ACRX.US' }) }),
    querySchema: klineQuery.extend({
      values: z.string().meta({
        description: `Up to ${MAX_VALUES} values in the language of rules, separated by \`;\``,
        example: 'sma(50); rsi(14)',
      }),
    }),
    caching: 'for_minutes',
    dataSchema: valuesSchema,
    errors: [
      'invalid_symbol',
      'market_not_open',
      'symbol_not_found',
      'invalid_date',
      'invalid_date_range',
      'invalid_period',
      'invalid_adjust',
      'rule_invalid',
      'upstream_unavailable',
    ],
    handle: async ({ path, query: { values, ...range }, caller, services }) => {
      assertDayRange(range);
      const columns = await readableColumns({ services, caller }, [values]);
      const read = readValues(values, columns);
      const item = findInstrument(services.market.directory, path.symbol);
      return valuesOf(services, item, range, read, caller.plan, columns);
    },
  }),
];
