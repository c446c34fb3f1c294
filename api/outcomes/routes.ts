/** The routes of what happened next. */
import type { Receipt } from '../../jobs/contracts/evidence.ts';
import type { ComputedOutcomes } from '../../jobs/outcomes/run.ts';
import { UNIVERSE_ERRORS } from '../factors/request.ts';
import type { z } from '../http/input/fields.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { startsWith, stateRoute } from '../runs/routes.ts';
import { stateOf } from '../runs/schemas.ts';
import type { DoneRun } from '../runs/state.ts';
import { withoutTime } from '../runs/view.ts';
import type { ScreenCall, Services } from '../screener/services.ts';
import { outcomesBody, outcomesSpecOf } from './request.ts';
import { outcomesSchema } from './schemas.ts';
import { sentenceOf } from './words.ts';

const { awaited } = startsWith<Services>();
const TAG = 'Outcomes';

function shown(call: Pick<ScreenCall, 'context'>, run: DoneRun): z.input<typeof outcomesSchema> {
  const { compare, horizons, path, best, worst, receipt, ...rest }: ComputedOutcomes & { readonly receipt: Receipt } =
    JSON.parse(run.result.summary);
  return {
    ...rest,
    horizons: horizons.map((one) => ({ ...one, by_year: [...one.by_year] })),
    path: path && { ...path, points: [...path.points] },
    best: [...best],
    worst: [...worst],
    receipt: withoutTime(receipt),
    sentences: horizons.map((one) => sentenceOf(one, compare, call.context.locale)),
  };
}

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
        return { kind: 'outcomes', spec, show: (run) => shown(call, run) };
      },
    }),
  ],
  state: stateRoute('outcomes', TAG, {
    operationId: 'getOutcomesJob',
    summary: 'Get the state of a run of outcomes',
    dataSchema: stateOf(outcomesSchema),
    show: shown,
  }),
};
