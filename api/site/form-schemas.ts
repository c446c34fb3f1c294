/** The fields of the calls that forms make: what a browser needs of the schemas of the operations. */
import { flatBody } from '../backtests/request.ts';
import { factorsBody } from '../factors/request.ts';
import { z } from '../http/input/fields.ts';
import { optimizeBody } from '../optimize/request.ts';
import { outcomesBody } from '../outcomes/request.ts';
import { portfolioBody } from '../portfolios/request.ts';
import { sweepBody } from '../sweeps/request.ts';

/** Fields of the same name are the same field. */
const BODIES = [flatBody, portfolioBody, optimizeBody, sweepBody, factorsBody, outcomesBody];
/** Files from the root of the project, a change of which changes the forms. */
export const FORM_SOURCES = [
  'api/backtests/request.ts',
  'api/runs/cost-fields.ts',
  'api/portfolios/request.ts',
  'api/portfolios/rotation-fields.ts',
  'api/portfolios/target-fields.ts',
  'api/optimize/request.ts',
  'api/sweeps/request.ts',
  'api/factors/request.ts',
  'api/outcomes/request.ts',
];

const KEPT = ['type', 'minimum', 'exclusiveMinimum', 'maximum', 'maxLength', 'enum', 'default'] as const;

type JsonSchema = z.core.JSONSchema.BaseSchema;
type FieldSchema = Pick<JsonSchema, (typeof KEPT)[number]>;

/** The fields within a schema. Of several forms, the first has each field. */
function fieldsIn(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>, path: string) {
  const named = schema.$ref === undefined ? schema : definitions[schema.$ref.slice('#/$defs/'.length)];
  const fields = new Map<string, FieldSchema>();
  const add = (one: z.core.JSONSchema._JSONSchema, at: string) => {
    if (typeof one === 'boolean') return;
    for (const [name, field] of fieldsIn(one, definitions, at)) if (!fields.has(name)) fields.set(name, field);
  };
  for (const form of named.anyOf ?? []) add(form, path);
  for (const [name, one] of Object.entries(named.properties ?? {})) add(one, path === '' ? name : `${path}.${name}`);
  const kept = KEPT.filter((key) => named[key] !== undefined).map((key) => [key, named[key]]);
  if (named.type !== 'object' && named.type !== 'array' && kept.length > 0)
    fields.set(path, { ...Object.fromEntries(kept), ...fields.get(path) });
  return fields;
}

/** By their paths in the body: `{'allocation.max_positions': {type: 'integer', minimum: 1, maximum: 200, default: 10}}`. */
export function formSchemas(): Readonly<Record<string, FieldSchema>> {
  const fields = BODIES.flatMap((body) => {
    const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
    return [...fieldsIn(schema, schema.$defs ?? {}, '')];
  });
  return Object.fromEntries(fields.reverse());
}
