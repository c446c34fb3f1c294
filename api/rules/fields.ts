/** Strategies and rules in requests. */
import { MAX_TEXT } from '../../engine/rules/lexer.ts';
import { RULES_STRATEGY } from '../../engine/rules/strategy.ts';
import { STRATEGIES } from '../../engine/strategies/catalogue.ts';
import { domainWord, idNumber, z } from '../http/input/fields.ts';

export const strategyWord = domainWord([...STRATEGIES.map(({ code }) => code), RULES_STRATEGY], 'invalid_strategy');

/** The length is checked with the rule, so that the error says where it becomes too long. */
export const ruleText = z.string().meta({
  description: `One expression of the language of rules, at most ${MAX_TEXT} characters`,
  example: 'close > highest(55) and volume > 2 * sma_of(volume, 50)',
});

/** The rules of a strategy as texts. */
export const rulesTextsField = z
  .strictObject({
    entry: ruleText.meta({ description: 'A condition: when it buys' }),
    exit: ruleText.optional().meta({
      description: 'A condition: when it sells (`signal`)',
      example: 'close < lowest(20)',
    }),
    stop: ruleText.optional().meta({
      description: 'A price, computed at each bar: sells at a close below it (`stop_loss`)',
      example: 'entry_price - 2 * atr(14)',
    }),
    trail: ruleText.optional().meta({
      description: 'A price that only rises while a position is held: sells at a close below it (`trailing_stop`)',
      example: 'peak - 3 * atr(22)',
    }),
  })
  .meta({
    id: 'Rules',
    description:
      'With `strategy: "rules"`. `$name` is replaced by a number in `params`. `error.rule_invalid` says what is wrong ' +
      'and where.',
  });

/** The condition of a screen. */
export const whereField = ruleText.meta({
  description: 'A condition of the language of rules, at the last bar of the whole history',
  example: 'close > sma(200) and rsi(14) < 40',
});

/** The rules of a run: in the request, or of a saved strategy. */
export const rulesField = z
  .union([
    rulesTextsField,
    z
      .strictObject({
        saved: idNumber.meta({ description: 'A strategy of `/v1/my/strategies`' }),
        version: z.int().min(1).optional().meta({ description: 'Default: the newest' }),
      })
      .meta({ id: 'SavedRules' }),
  ])
  .meta({ id: 'GivenRules' });

/** The saved strategy of a result. */
export const savedStrategySchema = z.object({ id: z.int(), version: z.int(), name: z.string() }).meta({
  id: 'SavedStrategyReference',
  description: 'The saved strategy and its version; absent if the rules were in the request',
});
