/** The routes of records that are judged. */
import type { ReportedJudgement } from '../../jobs/judge/report.ts';
import { fileBody, type z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { FILE_TYPES } from '../my/column-routes.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { OF_ACCOUNT, startsWith, stateRoute } from '../runs/routes.ts';
import { stateOf } from '../runs/schemas.ts';
import type { RunCall, Services } from '../runs/services.ts';
import type { DoneRun } from '../runs/state.ts';
import { sentencesOf } from '../runs/statistics-view.ts';
import { verdictText } from '../runs/verdict-texts.ts';
import { judgeQuery, judgeSpecOf } from './request.ts';
import { judgementSchema } from './schemas.ts';
import { judgeNoteView } from './words.ts';

const { awaited } = startsWith<Services>();
const TAG = 'Judgements';

/** A value that was read from JSON, which nobody else has. */
type Own<T> = { -readonly [K in keyof T]: Own<T[K]> };
type Found = Own<ReportedJudgement>;

/** The sentences on the best stream. Without a benchmark none speaks of luck. */
function sentencesOn(found: Found, locale: Locale): string[] {
  const { streams, selection, pbo, spa, step_m, haircuts, benchmark } = found;
  const best = streams.find(({ name }) => name === selection?.best);
  if (best === undefined) return [];
  const choice = benchmark === null ? null : selection;
  const { skill, ...figures } = best.statistics;
  const statistics = benchmark === null ? figures : { ...figures, skill };
  if (streams.length === 1) return sentencesOf({ statistics, selection: choice }, locale);
  const search = {
    columns: streams.length,
    pbo: pbo?.pbo ?? null,
    pbo_distribution: null,
    spa,
    step_m: step_m && { ...step_m, superior: [] },
    cpcv: null,
    haircut: haircuts,
  };
  return sentencesOf({ statistics: { ...statistics, ...search }, selection: choice }, locale);
}

function shown({ context }: Pick<RunCall, 'context'>, run: DoneRun): z.input<typeof judgementSchema> {
  const { locale } = context;
  const found: Found = JSON.parse(run.result.summary);
  const worded = found.streams.map(({ tear_sheet, ...stream }) => ({
    ...stream,
    tear_sheet: {
      ...tear_sheet,
      verdict: {
        sentences: tear_sheet.verdict.sentences.map((sentence) => ({
          key: sentence.key,
          text: verdictText(sentence, locale),
          figures: sentence.figures,
        })),
      },
    },
  }));
  return {
    ...found,
    streams: worded,
    notes: found.notes.map((note) => judgeNoteView(note, locale)),
    sentences: sentencesOn(found, locale),
  };
}

export const JUDGEMENTS: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      operationId: 'runJudgement',
      path: '/v1/judge',
      tag: TAG,
      summary: 'Judge returns that were made elsewhere',
      description:
        'CSV, NDJSON, Parquet, or Arrow with a date and a column for each stream: what they earned beside a benchmark, how sure ' +
        'that is, and of several how good the best is after the choice. At most 2,000 streams. Nothing is kept.',
      access: 'member',
      limit: 'backtest',
      querySchema: judgeQuery,
      bodySchema: fileBody,
      bodyTypes: FILE_TYPES,
      dataSchema: judgementSchema,
      errors: [
        'plan_capability',
        'quota_exceeded',
        'record_refused',
        'figures_overflow',
        'body_too_large',
        'storage_full',
      ],
      errorDetails: { plan_capability: { plan: 'free', category: 'optimize' } },
      read: async ({ query, body, ...call }) => {
        const spec = await judgeSpecOf(call, query, body);
        return { kind: 'judge', spec, show: (run) => shown(call, run) };
      },
    }),
  ],
  state: stateRoute('judge', TAG, {
    operationId: 'getJudgementJob',
    summary: 'Get the state of a judgement',
    description: OF_ACCOUNT,
    dataSchema: stateOf(judgementSchema),
    show: shown,
  }),
};
