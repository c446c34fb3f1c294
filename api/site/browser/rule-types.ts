/** The shapes of the API's answers about rules and watches. */
import type { Schema } from '../../clients/typescript/types.ts';

export type RuleCheck = Schema<'RuleCheck'>;
export type RulePart = 'entry' | 'exit' | 'stop' | 'trail' | 'where';
export type OwnStrategy = Schema<'OwnStrategyDetail'>;
export type SharedStrategy = Schema<'SharedStrategy'>;
export type OwnStrategies = Schema<'OwnStrategyList'>;
export type Watch = Schema<'Watch'>;
export type Watches = Schema<'WatchList'>;
export type Signal = Schema<'Signal'>;
export type Signals = Schema<'SignalList'>;
