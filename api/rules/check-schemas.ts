/** Rules while they are written, in requests and answers. */
import { MAX_TEXT } from '../../engine/rules/lexer.ts';
import { RULE_PARTS } from '../../engine/strategies/strategy.ts';
import { z } from '../http/input/fields.ts';

/** The place of a rule: a part of a strategy, the condition of a screen, or a value of a screen. */
const PARTS = [...RULE_PARTS, 'where', 'value'] as const;
const place = z.object({ from: z.int(), to: z.int() });

export const checkBody = z.strictObject({
  text: z.string().max(10 * MAX_TEXT),
  part: z.enum(PARTS).default('entry'),
  cursor: z.int().min(0).optional().meta({ description: 'Default: the end of the text' }),
});

export const checkSchema = z
  .object({
    problems: z.array(z.object({ msg: z.string(), position: place, expected: z.array(z.string()) })),
    parameters: z.array(z.object({ name: z.string(), min: z.number(), max: z.number() })),
    completions: z
      .object({
        position: place,
        choices: z.array(z.object({ text: z.string(), usage: z.string(), description: z.string() })),
      })
      .meta({ description: 'What could be written at the cursor, in the place of `position`' }),
  })
  .meta({ id: 'RuleCheck' });
