/** The routes of what happened next. */
import type { KeptRun } from '../../db/runs/kept-runs.ts';
import { type OutcomesSummary, outcomesSummary } from '../../jobs/outcomes/summary.ts';
import { UNIVERSE_ERRORS } from '../factors/request.ts';
import { JsonText } from '../http/answer/reply.ts';
import type { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import type { ShowKept } from '../runs/keep.ts';
import type { KeptOffer } from '../runs/kept-routes.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { startsWith, stateRoute } from '../runs/routes.ts';
import { stateOf } from '../runs/schemas.ts';
import type { DoneRun } from '../runs/state.ts';
import { lastVerdict, withoutTime } from '../runs/view.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { outcomesBody, outcomesSpecOf } from './request.ts';
import { outcomesSchema } from './schemas.ts';
import { sentenceOf } from './words.ts';

const { awaited } = startsWith<Services>();
const TAG = 'Outcomes';

/** A run as its caller has it: kept or not, computed now or before. */
interface Told extends Pick<z.input<typeof outcomesSchema>, 'id' | 'cached' | 'verification'> {
  readonly createdAt: Date;
}

function answerOf(
  { compare, time_range: _range, horizons, path, best, worst, receipt, ...rest }: OutcomesSummary,
  { createdAt, ...told }: Told,
  locale: Locale,
): z.input<typeof outcomesSchema> {
  return {
    ...told,
    created_at: createdAt.toISOString(),
    ...rest,
    horizons: horizons.map((one) => ({ ...one, by_year: [...one.by_year] })),
    path: path && { ...path, points: [...path.points] },
    best: [...best],
    worst: [...worst],
    receipt: withoutTime(receipt),
    sentences: horizons.map((one) => sentenceOf(one, compare, locale)),
  };
}

function shown({ context }: Pick<ScreenCall, 'context'>, { backtestId: id, createdAt, isCached, result }: DoneRun) {
  const told = { id, createdAt, cached: isCached === true };
  return answerOf(outcomesSummary(JSON.parse(result.summary)), told, context.locale);
}

/** With `isShared` it has no id, which only the owner may know. */
const showKept: ShowKept = async (_storage, saved, _parts, { locale }, isShared = false) => {
  const { id, createdAt, isCached: cached } = saved;
  const told = { id: isShared ? null : id, createdAt, cached, verification: lastVerdict(saved) ?? undefined };
  return new JsonText(JSON.stringify(answerOf(outcomesSummary(saved.summary), told, locale)));
};

/** The rows of a part as a file. */
function rowsOf({ summary }: KeptRun, part: string): readonly object[] {
  const { horizons, path, best, worst } = outcomesSummary(summary);
  switch (part) {
    case 'by_year':
      return horizons.flatMap(({ horizon, by_year: years }) => years.map((year) => ({ horizon, ...year })));
    case 'by':
      return horizons.flatMap(({ horizon, by }) =>
        by === null
          ? []
          : ([true, false] as const).map((side) => {
              const { difference, t } = by;
              return { horizon, by: side, ...by[`${side}`], difference, t };
            }),
      );
    case 'path':
      return path?.points ?? [];
    case 'best':
      return best;
    case 'worst':
      return worst;
    default:
      return horizons.map(({ excess, open: open_hits, by_year: _years, by: _by, ...one }) => {
        const { others, mean, alpha, t, p } = excess ?? {};
        return { ...one, open_hits, others, excess: mean, alpha, t, p };
      });
  }
}

const EXTREME_COLUMNS = ['symbol', 'ts', 'value', 'excess'] as const;

const KEPT: KeptOffer = {
  kind: 'outcomes',
  noun: 'Outcomes',
  dataSchema: outcomesSchema,
  include: {},
  columns: {
    horizons: [
      ...(['horizon', 'hits', 'open_hits', 'no_entry', 'ended', 'days', 'instruments', 'mean', 'median'] as const),
      ...(['p5', 'p25', 'p75', 'p95', 'positive_share', 'others', 'excess', 'alpha', 't', 'p'] as const),
    ],
    by_year: ['horizon', 'year', 'hits', 'days', 'mean', 'excess'],
    by: ['horizon', 'by', 'hits', 'days', 'mean', 'excess', 'difference', 't'],
    path: ['offset', 'hits', 'mean', 'p5', 'p95'],
    best: EXTREME_COLUMNS,
    worst: EXTREME_COLUMNS,
  },
  rows: rowsOf,
  show: showKept,
  hasTearSheet: false,
  evidence: { receipt: { operationId: 'getOutcomesReceipt' }, verify: { operationId: 'verifyOutcomes' } },
};

export const OUTCOMES: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      operationId: 'runOutcomes',
      path: '/v1/outcomes',
      tag: TAG,
      summary: 'Tell what happened after a condition was true',
      description:
        'Each beginning of a condition in a universe is a hit. Its returns stand beside those of the members that are no hits ' +
        'on the same days, with errors that hold for overlapping horizons: by year, by a regime, along the path, and with the ' +
        'best and the worst.',
      access: 'member',
      limit: 'backtest',
      bodySchema: outcomesBody,
      bodyExample: { condition: 'crosses_above(sma(20), sma(50))', time_range: '5Y' },
      dataSchema: outcomesSchema,
      errors: [
        ...UNIVERSE_ERRORS,
        'invalid_backtest_adjust',
        'no_bars_in_range',
        'plan_capability',
        'quota_exceeded',
        'too_many_hits',
      ],
      errorDetails: {
        plan_capability: { plan: 'guest', category: 'rotation_members_max' },
        too_many_hits: { max: '1,000,000' },
      },
      read: async ({ body, ...call }) => {
        const spec = await outcomesSpecOf(call, body);
        return { kind: 'outcomes', spec, save: body.save, show: (run) => shown(call, run) };
      },
    }),
  ],
  state: stateRoute('outcomes', TAG, {
    operationId: 'getOutcomesJob',
    summary: 'Get the state of a run of outcomes',
    dataSchema: stateOf(outcomesSchema),
    show: shown,
  }),
  kept: KEPT,
};
