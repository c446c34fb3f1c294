/** Bodies of requests as callers may send them: `null` in an optional field means that it is absent, as `read-input.ts` reads it. */
import type { oas32 } from 'zod-openapi';
import { operationsIn } from './shared-parameters.ts';

type Schema = oas32.SchemaObject | oas32.ReferenceObject;
type SchemaFields = Exclude<oas32.SchemaObject, boolean>;

const SCHEMAS = '#/components/schemas/';

/**
 * Lets the optional fields of all bodies be null. Answers have no such nulls: a schema that they share with bodies gets a second
 * form for these. Changes the document.
 */
export function allowNulls({ paths = {}, components = {} }: oas32.OpenAPIObject): void {
  const { schemas = {} } = components;
  const operations = operationsIn(paths);
  const ofAnswers = namesIn(
    operations.map(({ responses }) => responses),
    schemas,
  );
  const names = new Map<string, string>();
  for (const { requestBody } of operations) {
    const json = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
    if (json && 'schema' in json && json.schema) allowNullsIn(json.schema, 'Body');
  }
  components.schemas = schemas;

  /** The name of a schema's form for bodies. */
  function nameInBodies(name: string): string {
    const known = names.get(name);
    if (known !== undefined) return known;
    const schema = ofAnswers.has(name) ? structuredClone(schemas[name]) : schemas[name];
    allowNullsIn(schema, name);
    const isShared = schema === schemas[name] || JSON.stringify(schema) === JSON.stringify(schemas[name]);
    const own = isShared ? name : `${name}Input`;
    schemas[own] = schema;
    names.set(name, own);
    return own;
  }

  /** `path` is the name of the schema that contains it, with the fields that lead to it. */
  function allowNullsIn(schema: Schema, path: string): void {
    if (typeof schema === 'boolean') return;
    if (schema.$ref !== undefined) {
      schema.$ref = SCHEMAS + nameInBodies(schema.$ref.slice(SCHEMAS.length));
      return;
    }
    const { properties = {}, required = [], items, additionalProperties, anyOf = [] }: SchemaFields = schema;
    for (const [name, field] of Object.entries(properties)) {
      const fieldPath = path + name.split('_').map(capitalized).join('');
      allowNullsIn(field, fieldPath);
      if (!required.includes(name)) properties[name] = orNull(named(field, fieldPath));
    }
    for (const inner of [items, additionalProperties, ...anyOf]) if (inner !== undefined) allowNullsIn(inner, path);
  }

  /** An object becomes a schema with a name: generators of clients skip one that is without and may be null. */
  function named(field: Schema, name: string): Schema {
    if (typeof field === 'boolean' || !('properties' in field)) return field;
    const { description, default: value, ...form }: SchemaFields = field;
    schemas[name] = form;
    return { $ref: SCHEMAS + name, description, default: value };
  }
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Names of the schemas that a part of the document uses, those of other schemas included. */
function namesIn(part: object, schemas: oas32.SchemasObject, found = new Set<string>()): ReadonlySet<string> {
  for (const [key, value] of Object.entries(part)) {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(SCHEMAS)) {
      const name = value.slice(SCHEMAS.length);
      if (found.has(name)) continue;
      found.add(name);
      namesIn(Object(schemas[name]), schemas, found);
    } else if (typeof value === 'object' && value !== null) {
      namesIn(value, schemas, found);
    }
  }
  return found;
}

function orNull(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  // The description and the default are beside the forms, where readers and generators of clients look for them.
  const { description, default: given, ...form }: SchemaFields = schema;
  // The fields of an object have its defaults, and generators of clients refuse `{}` where null is allowed.
  const value = JSON.stringify(given) === '{}' ? undefined : given;
  const types = form.type === undefined ? [] : [form.type].flat();
  if (types.includes('null') || form.anyOf?.some(isNull)) return schema;
  if (types.length > 0 && form.const === undefined)
    return { ...schema, default: value, type: [...types, 'null'], ...(form.enum && { enum: [...form.enum, null] }) };
  const { anyOf, ...others } = form;
  const forms = anyOf && Object.keys(others).length === 0 ? anyOf : [form];
  return { anyOf: [...forms, { type: 'null' }], description, default: value };
}

const isNull = (schema: Schema) => typeof schema !== 'boolean' && 'type' in schema && schema.type === 'null';
