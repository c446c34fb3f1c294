/** The screener: `/v1/screener`, `/api/screener/presets`. */
import { COMPARISONS } from '../../engine/screener/comparisons.ts';
import { ruleOfAll } from '../../engine/screener/field-rules.ts';
import { FIELDS } from '../../engine/screener/fields.ts';
import { PRESETS } from '../../engine/screener/presets.ts';
import { PERIOD_RANGE } from '../../engine/screener/running-means.ts';
import { z } from '../http/input/fields.ts';
import type { Locale } from '../http/language/locale.ts';
import { namedInstruments } from '../rules/resolve.ts';
import type { OfferedKind } from '../runs/kinds.ts';
import { type Asked, startsWith, stateRoute } from '../runs/routes.ts';
import { askedLongScreen, askedScreenAsOf, askedScreenAtLoad, screenOfRun } from './as-of.ts';
import { exampleScreen } from './example.ts';
import { presetName, readCallersScreen, SCREEN_LIMITS, screenerBody, tickersOf } from './request.ts';
import { needsJob, wholeHistoriesOf } from './rule-source.ts';
import { conditionView, runScreen } from './run-screen.ts';
import { presetsSchema, screenerSchema, screenStateSchema } from './schemas.ts';
import { defineRoute, type ScreenCall, type Services } from './services.ts';

const { awaited } = startsWith<Services>();

const TAG = 'Screener';

type ScreenResult = z.input<typeof screenerSchema>;

function presetsView(locale: Locale) {
  return {
    presets: PRESETS.map(({ code, name, description, conditions, sort }) => ({
      code,
      name: name[locale],
      description: description[locale],
      conditions: conditions.map(conditionView),
      where: ruleOfAll(conditions),
      sort: { field: sort.field, ...(sort.period === null ? {} : { period: sort.period }), order: sort.order },
    })),
    fields: FIELDS.map(({ code, kind, defaultPeriod, unit, label, description }) => ({
      field: code,
      kind,
      unit,
      label: label[locale],
      description: description[locale],
      period: defaultPeriod === null ? null : { ...PERIOD_RANGE, default: defaultPeriod },
    })),
    operators: COMPARISONS.map(({ code, label, arity }) => ({ op: code, label: label[locale], arity })),
    limits: SCREEN_LIMITS,
  };
}

/** A screen that is answered from the snapshot of today, or one that needs a job or a past day. */
async function askedScreen(call: ScreenCall, body: z.output<typeof screenerBody>): Promise<Asked<ScreenResult>> {
  const { services, context } = call;
  const { as_of: asOf, as_of_load: load, ...screen } = body;
  const request = await readCallersScreen(call, screen);
  namedInstruments(tickersOf(request), services.market.directory);
  if (load !== undefined) return askedScreenAtLoad(call, load, asOf, screen, request);
  if (asOf !== undefined) return askedScreenAsOf(call, asOf, screen, request);
  if (needsJob(wholeHistoriesOf(request))) return askedLongScreen(call, screen, request);
  return { answer: await runScreen(services, request, context.locale) };
}

export const SCREENS: OfferedKind<Services> = {
  tag: TAG,
  own: [
    awaited({
      operationId: 'runScreener',
      path: '/v1/screener',
      tag: TAG,
      summary: 'Screen the whole market on daily-bar conditions',
      description:
        'Evaluates the latest bar of each symbol, with prices adjusted as by `qfq`. Figures are those of backtests: ' +
        'exponential averages, RSI, and ATR cover the whole history. They are rounded to six decimals (15 digits ' +
        'from a billion on) before they are compared, sorted, and returned. An empty body lists every eligible ' +
        'symbol by dollar volume.\n\n`funnel` counts the symbols left after each condition; a `where` is counted by the ' +
        'conditions that its `and` joins. ' +
        '`changes` compares with the same screen at the session before `as_of`, with prices on the share count of ' +
        'that session. A symbol whose newest bar is more than seven calendar days older is left out.\n\nWith ' +
        '`as_of`, the call waits for the job that builds the snapshot of that session. It also waits for a job if a rule looks ' +
        'further back than a snapshot, and with `history`.\n\n`history` judges every session by the bars up to it, with the ' +
        'conditions, the asset types, and the corrections of today (with `as_of`: of that day); delisted instruments count.\n\nWith `as_of_load`, bars and events are ' +
        'read from the Iceberg tables as that load left them, at its newest session or at `as_of`.',
      access: 'member',
      limit: 'batch',
      bodySchema: screenerBody,
      bodyExample: {
        conditions: [
          { field: 'close', op: 'gte', value: 5 },
          { field: 'rsi', op: 'lt', period: 14, value: 60 },
        ],
        sort: { field: 'dollar_volume', order: 'desc' },
        limit: 3,
      },
      dataSchema: screenerSchema,
      errors: [
        'invalid_screener_field',
        'invalid_screener_operator',
        'invalid_preset',
        'invalid_asset_type',
        'snapshot_unavailable',
        'no_data_on_day',
        'symbol_not_found',
        'load_not_kept',
        'invalid_date',
      ],
      read: ({ body, ...call }) => askedScreen(call, body),
    }),
    defineRoute({
      operationId: 'getScreenerExample',
      method: 'get',
      path: '/api/screener/examples/{preset}',
      tag: TAG,
      summary: 'Get the newest result of a preset',
      description:
        'What `POST /v1/screener` answers to the rule of the preset with `history`, for everybody. The history is computed once ' +
        'for each new session; until then it is absent.',
      access: 'anyone',
      limit: 'public',
      pathSchema: z.object({ preset: presetName.meta({ example: 'trend_breakout' }) }),
      dataSchema: screenerSchema,
      errors: ['invalid_preset', 'snapshot_unavailable'],
      handle: ({ path, services, context }) => exampleScreen(services, context, path.preset),
    }),
    defineRoute({
      operationId: 'getScreenerPresets',
      method: 'get',
      path: '/api/screener/presets',
      tag: TAG,
      summary: 'List presets, fields, operators, and limits of the screener',
      access: 'anyone',
      limit: 'public',
      caching: 'for_minutes',
      dataSchema: presetsSchema,
      errors: [],
      handle: ({ context }) => presetsView(context.locale),
    }),
  ],
  state: stateRoute('screen', TAG, {
    operationId: 'getScreenerJob',
    summary: 'Get the state of a queued screen',
    dataSchema: screenStateSchema,
    errors: ['snapshot_unavailable'],
    show: screenOfRun,
  }),
};
