/** The screener, and what it can be asked. */
import { FIELDS, PERIOD_RANGE } from '../../engine/screener/fields.ts';
import { findOperator, OPERATORS } from '../../engine/screener/operators.ts';
import { PRESETS } from '../../engine/screener/presets.ts';
import type { Condition } from '../../engine/screener/screen.ts';
import type { Locale } from '../locale.ts';
import { assertAssetTypes } from '../market/directory.ts';
import { defineRoute, type Route } from '../route.ts';
import { readScreen, SCREEN_LIMITS, screenerBody } from './request.ts';
import { runScreen } from './run-screen.ts';
import { presetsSchema, screenerSchema } from './schemas.ts';

const TAG = 'Screener';

/** A condition as a caller would send it. */
function conditionView({ field, op, period, value, value2 }: Condition) {
  const arity = findOperator(op)?.arity ?? 0;
  return {
    ...{ field, op },
    ...(period === null ? {} : { period }),
    ...(arity >= 1 ? { value } : {}),
    ...(arity === 2 ? { value2 } : {}),
  };
}

function presetsView(locale: Locale) {
  return {
    presets: PRESETS.map(({ code, name, description, conditions, sort }) => ({
      ...{ code, name: name[locale], description: description[locale], conditions: conditions.map(conditionView) },
      sort: { field: sort.field, ...(sort.period === null ? {} : { period: sort.period }), order: sort.order },
    })),
    fields: FIELDS.map(({ code, kind, defaultPeriod, unit, label, description }) => ({
      ...{ field: code, kind, unit, label: label[locale], description: description[locale] },
      period: defaultPeriod === null ? null : { ...PERIOD_RANGE, default: defaultPeriod },
    })),
    operators: OPERATORS.map(({ code, label, arity }) => ({ op: code, label: label[locale], arity })),
    limits: SCREEN_LIMITS,
  };
}

export const SCREENER_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/screener',
    tag: TAG,
    summary: 'Screen the whole market on daily-bar conditions',
    description:
      'Only the latest bar of each symbol is judged; prices are adjusted as by `qfq`. Averages of Wilder and exponential ' +
      'ones settle over the newest 260 bars. An empty body lists every eligible symbol by dollar volume.',
    access: 'member',
    limit: 'batch',
    bodySchema: screenerBody,
    dataSchema: screenerSchema,
    errors: [
      'invalid_screener_field',
      'invalid_screener_operator',
      'invalid_preset',
      'invalid_asset_type',
      'snapshot_unavailable',
    ],
    handle: ({ body, context, services }) => {
      const request = readScreen(body);
      assertAssetTypes(services.market.directory, request.assetTypes);
      return runScreen(services, request, context.locale);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/screener/presets',
    tag: TAG,
    summary: 'Presets, fields, operators and bounds of the screener',
    access: 'anyone',
    limit: 'public',
    caching: 'for_minutes',
    dataSchema: presetsSchema,
    errors: [],
    handle: ({ context }) => presetsView(context.locale),
  }),
];
