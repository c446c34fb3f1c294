/** The shapes of the API's answers about rules and watches. */
import type { z } from 'zod';
import type { sharedStrategySchema, strategySchema } from '../../my/strategy-schemas.ts';
import type { signalSchema, watchSchema } from '../../my/watch-schemas.ts';
import type { checkSchema } from '../../rules/check-schemas.ts';

interface Listed<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

export type RuleCheck = z.output<typeof checkSchema>;
export type RulePart = 'entry' | 'exit' | 'stop' | 'trail' | 'where';
export type OwnStrategy = z.output<typeof strategySchema>;
export type SharedStrategy = z.output<typeof sharedStrategySchema>;
export type OwnStrategies = Listed<OwnStrategy>;
export type Watch = z.output<typeof watchSchema>;
export type Watches = Listed<Watch>;
export type Signal = z.output<typeof signalSchema>;
export type Signals = Listed<Signal>;
