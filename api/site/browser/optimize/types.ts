/** The shapes of what the API answers about searches. */
import type { Schema } from '../../../clients/typescript/types.ts';

export type SearchJob = Schema<'OptimizationJob'>;
export type SearchResult = NonNullable<SearchJob['result']>;
export type Best = SearchResult['best'][number];
export type WalkForward = NonNullable<SearchResult['walk_forward']>;
