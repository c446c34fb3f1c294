/** Responses of the screener. */
import { HISTORY_SESSIONS } from '../../jobs/contracts/screen.ts';
import { instant, z } from '../http/input/fields.ts';
import { readSnapshots } from '../runs/as-of-load.ts';
import { noteSchema, stateOf } from '../runs/schemas.ts';

const conditionSchema = z.object({
  field: z.string(),
  op: z.string(),
  period: z.int().optional(),
  value: z.number().optional(),
  value2: z.number().optional(),
});

const changesSchema = z
  .object({
    entered: z
      .array(z.string())
      .meta({ description: 'Symbols that match now and did not match at the previous session, sorted; of all pages' }),
    left: z
      .array(z.string())
      .meta({ description: 'Symbols that matched at the previous session and do not match now, sorted' }),
  })
  .nullable()
  .meta({ description: 'Compared with the previous session; null if it has no loaded bars' });

const turned = z.array(z.object({ symbol: z.string(), conditions: z.array(z.int()) })).meta({
  description: 'With the conditions that turned, by their place in `funnel` from 0; none: its bars begin or end',
});

const followed = z.object({
  count: z.int().meta({ description: 'Pairs of an instrument and a session that are followed' }),
  median_pct: z.number().nullable(),
  rose_pct: z.number().nullable().meta({ description: 'The share of them that rose, in percent' }),
});

const medians = z.object({
  change_pct: z.number().nullable(),
  dollar_volume: z.number().nullable(),
  columns: z.record(z.string(), z.number().nullable()),
});

const historySchema = z
  .object({
    sessions: z
      .array(z.object({ date: z.iso.date(), passing: z.int() }))
      .meta({ description: `How many passed at each of the last ${HISTORY_SESSIONS} sessions, oldest first` }),
    entered: turned.nullable(),
    left: turned.nullable(),
    followed: z.object({ since: z.iso.date(), bars: z.int(), passed: followed, all: followed }).meta({
      description:
        'The change of the close over the `bars` after a session, of instruments that passed and of all that could pass, each ' +
        'rounded to 0.01%. One that stops trading counts with its last close; sessions that are too young are left out',
    }),
    medians: z
      .object({ passing: medians, all: medians })
      .meta({ description: 'At the session of the screen, of those that pass and of all that could pass' }),
  })
  .meta({ id: 'ScreenHistory' });

export const screenerSchema = z
  .object({
    scanned: z.int().meta({ description: 'Symbols of the asset types, or of `symbols`, with a recent bar' }),
    eligible: z
      .int()
      .meta({ description: 'Scanned symbols with enough history for the longest look-back of the conditions' }),
    total: z.int().meta({ description: 'Symbols that match' }),
    limit: z.int(),
    offset: z.int(),
    asset_types: z.array(z.string()),
    not_scanned: z
      .array(z.string())
      .optional()
      .meta({ description: 'Only with `symbols`: those without a recent bar' }),
    funnel: z
      .array(
        z.object({
          condition: z.union([conditionSchema, z.object({ where: z.string() })]),
          rule: z
            .string()
            .nullable()
            .meta({ description: 'The condition in the language of rules; null: it cannot say it' }),
          values: z
            .array(z.string())
            .meta({ description: 'What it compares, in the language of rules, without constants' }),
          remaining: z.int(),
        }),
      )
      .meta({ description: 'The number of symbols left after each condition, in the order of the request' }),
    changes: changesSchema,
    venue_scope: z.object({ mixed: z.boolean(), consolidated_only: z.boolean(), notes: z.array(noteSchema) }),
    history: historySchema
      .optional()
      .meta({ description: 'Only if it is asked for, and no rule compares instruments' }),
    notes: z.array(noteSchema),
    elapsed_ms: z.int(),
    load: z
      .object({ data_version: z.string(), snapshots: readSnapshots })
      .optional()
      .meta({ description: 'Only with `as_of_load`' }),
    data_freshness: z.object({
      distribution_mode: z.string(),
      as_of: z.iso.date(),
      snapshot_exported_at: instant,
      delayed: z.boolean(),
    }),
    items: z.array(
      z.object({
        symbol: z.string(),
        current_symbol: z.string().optional().meta({
          description: 'The symbol of today. Only with `as_of` or `as_of_load`, where `symbol` is that of the day',
        }),
        name: z.string(),
        asset_type: z.string(),
        primary_venue: z.string(),
        as_of: z.iso.date(),
        close: z.number(),
        change_pct: z.number().nullable(),
        volume: z.int(),
        dollar_volume: z.number(),
        values: z
          .record(z.string(), z.union([z.number(), z.boolean(), z.null()]))
          .meta({ description: 'Each requested figure, by `field` or `field:period`' }),
        columns: z.record(z.string(), z.number().nullable()).optional().meta({
          description:
            'The figures of `columns`, and of conditions with `condition_columns`, rounded to 6 decimals; null if undefined',
        }),
        closes: z.array(z.number()).optional().meta({ description: 'The newest closes, oldest first' }),
        days_in: z
          .int()
          .optional()
          .meta({ description: 'With `history`: its sessions in a row at which it passed, the newest included' }),
      }),
    ),
  })
  .meta({ id: 'ScreenerResult' });

export const screenStateSchema = stateOf(screenerSchema);

export const presetsSchema = z.object({
  presets: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      description: z.string(),
      conditions: z.array(conditionSchema),
      where: z
        .string()
        .nullable()
        .meta({ description: 'The same conditions in the language of rules; null: it cannot say them' }),
      sort: z.object({ field: z.string(), period: z.int().optional(), order: z.enum(['asc', 'desc']) }),
    }),
  ),
  fields: z.array(
    z.object({
      field: z.string(),
      kind: z.enum(['number', 'boolean']),
      period: z.object({ min: z.int(), max: z.int(), default: z.int() }).nullable(),
      unit: z.string(),
      label: z.string(),
      description: z.string(),
    }),
  ),
  operators: z.array(z.object({ op: z.string(), label: z.string(), arity: z.int() })),
  limits: z.object({
    conditions: z.int(),
    symbols: z.int(),
    columns: z.int(),
    limit: z.object({ min: z.int(), max: z.int(), default: z.int() }),
    offset: z.int(),
    closes: z.int(),
    years: z.object({ min: z.int(), max: z.int(), default: z.int() }),
  }),
});
