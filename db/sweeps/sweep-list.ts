/** The sweeps and factor studies of an account, found by words. */
import type { Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import { CREATED_DAY, conditionOf, type RunWord, type WordPlaces } from '../run-words.ts';
import { SWEEP, type Sweep, type SweepKind } from './sweeps.ts';

const strategies = "jsonb_path_query_array(spec::jsonb, '$.runs[*].strategy')::text";

const WORDS_OF: WordPlaces = {
  kind: ["'sweep'"],
  strategy: [strategies],
  tag: [],
  created: [CREATED_DAY],
  return: [],
  any: [
    strategies,
    "request #>> '{universe,symbols}'",
    "jsonb_path_query_array(request::jsonb, '$.runs[*].rules.entry')::text",
    "spec ->> 'timeRange'",
  ],
};

/** Those that have all words, newest first. */
export async function selectSweeps(
  db: Queryable,
  userId: number,
  kind: SweepKind,
  words: readonly RunWord[],
  page: PageRequest,
): Promise<Page<Sweep>> {
  const { rowsOf } = await statements();
  const matching = rowsOf('sweeps', { user_id: userId, kind });
  for (const word of words) matching.whereRaw(...conditionOf(word, WORDS_OF));
  return selectPage(db, matching, page, (sweeps) =>
    sweeps.select(SWEEP.columns).orderBy([{ column: 'created_at', order: 'desc' }, 'id']),
  );
}
