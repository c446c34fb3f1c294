/** The shapes of what the API answers about searches. */
import type { z } from 'zod';
import type { optimizeStateSchema } from '../../../backtests/optimize-schemas.ts';

export type SearchJob = z.output<typeof optimizeStateSchema>;
export type SearchResult = NonNullable<SearchJob['result']>;
export type Best = SearchResult['best'][number];
export type WalkForward = NonNullable<SearchResult['walk_forward']>;
