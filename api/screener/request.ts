/** What a screen may ask for. */
import { ServiceError } from '../../engine/errors.ts';
import { FIELDS, findField, PERIOD_RANGE } from '../../engine/screener/fields.ts';
import { findOperator, OPERATORS } from '../../engine/screener/operators.ts';
import { findPreset, PRESETS } from '../../engine/screener/presets.ts';
import type { Condition, SortOrder } from '../../engine/screener/screen.ts';
import { ValidationFailure } from '../errors.ts';
import { domainWord, z } from '../fields.ts';
import type { Problem } from '../problems.ts';

export const SCREEN_LIMITS = { conditions: 20, limit: { min: 1, max: 500, default: 100 }, offset: 100_000 } as const;
export const DEFAULT_ASSET_TYPES = ['stock', 'etf'] as const;
const DEFAULT_SORT: SortOrder = { field: 'dollar_volume', period: null, order: 'desc' };

type Words = readonly [string, ...string[]];
const fieldName = domainWord(FIELDS.map(({ code }) => code) as unknown as Words, 'invalid_screener_field');
const operatorName = domainWord(OPERATORS.map(({ code }) => code) as unknown as Words, 'invalid_screener_operator');
const presetName = domainWord(PRESETS.map(({ code }) => code) as unknown as Words, 'invalid_preset');
const period = z.int().min(PERIOD_RANGE.min).max(PERIOD_RANGE.max).optional();
const assetType = z.string().regex(/^[a-z_]{1,32}$/);

export const screenerBody = z.strictObject({
  preset: presetName
    .optional()
    .openapi({ description: 'Its conditions and sort apply; those of the request are ignored' }),
  conditions: z
    .array(
      z.strictObject({
        field: fieldName,
        op: operatorName,
        period,
        value: z.number().optional(),
        value2: z.number().optional(),
      }),
    )
    .max(SCREEN_LIMITS.conditions)
    .default([]),
  sort: z.strictObject({ field: fieldName, period, order: z.enum(['asc', 'desc']).default('desc') }).optional(),
  asset_type: z
    .union([assetType, z.array(assetType).min(1).max(20)])
    .optional()
    .openapi({ description: 'Default: stock and etf; one that no instrument has is refused' }),
  limit: z.int().min(SCREEN_LIMITS.limit.min).max(SCREEN_LIMITS.limit.max).default(SCREEN_LIMITS.limit.default),
  offset: z.int().min(0).max(SCREEN_LIMITS.offset).default(0),
});

export interface ScreenRequest {
  readonly conditions: readonly Condition[];
  readonly sort: SortOrder;
  readonly assetTypes: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

export function readScreen(body: z.output<typeof screenerBody>): ScreenRequest {
  const { preset, conditions, sort, asset_type, limit, offset } = body;
  const ready = preset === undefined ? null : findPreset(preset);
  return {
    conditions: ready?.conditions ?? conditions.map(conditionOf),
    sort: ready?.sort ?? (sort ? { ...sort, period: periodOf(sort) } : DEFAULT_SORT),
    assetTypes: asset_type === undefined ? DEFAULT_ASSET_TYPES : [...new Set([asset_type].flat())],
    ...{ limit, offset },
  };
}

/** The period that counts: the field's default where none is given, none where it has none. */
function periodOf({ field, period: given }: { readonly field: string; readonly period?: number }): number | null {
  const { defaultPeriod } = findField(field) as NonNullable<ReturnType<typeof findField>>;
  return defaultPeriod === null ? null : (given ?? defaultPeriod);
}

function conditionOf(given: z.output<typeof screenerBody>['conditions'][number], i: number): Condition {
  const field = findField(given.field) as NonNullable<ReturnType<typeof findField>>;
  const operator = findOperator(given.op) as NonNullable<ReturnType<typeof findOperator>>;
  if (operator.kind !== field.kind) {
    const allowed = OPERATORS.filter(({ kind }) => kind === field.kind).map(({ code }) => code);
    throw new ServiceError('invalid_screener_operator', { value: given.op, allowed: allowed.join(', ') });
  }
  const refuse = (name: string, problem: Problem): never => {
    throw new ValidationFailure([{ loc: ['body', 'conditions', i, name], type: 'parameter', problem }]);
  };
  if (operator.arity >= 1 && given.value === undefined)
    refuse('value', { code: 'needs_value', details: { op: given.op } });
  if (operator.arity === 2) {
    if (given.value2 === undefined) refuse('value2', { code: 'needs_second_value', details: { op: given.op } });
    if ((given.value2 as number) < (given.value as number)) refuse('value2', { code: 'smaller_than_value' });
  }
  const { value = 0, value2 = 0 } = given;
  return { field: given.field, op: given.op, period: periodOf(given), value, value2 };
}
