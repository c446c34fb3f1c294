/** Reads the path, query, and body of a call with the schemas of its route. */
import { z } from '../http/input/fields.ts';
import { definitionOf, unwrapped } from '../http/input/problems.ts';
import { parseFailure, ValidationFailure } from '../http/input/request-failure.ts';
import type { Route } from './route.ts';

/** The parts of a request that input is read from. */
export interface RawInput {
  readonly url: string;
  readonly params?: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface CallInput {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A query parameter of every route, read by `choose-locale.ts`. */
const LANGUAGE = 'lang';

/**
 * Reads calls of a route. Unknown names in the query and the body are refused. `null` for an optional field of the body
 * that is not nullable means that it is absent. Throws all problems of the first part that has any.
 */
export function inputReader({ pathSchema, querySchema, queryAliases = {}, bodySchema, isForgiving = false }: Route) {
  const query = (querySchema ?? z.object({})).strict();
  const alsoKnown = [...Object.keys(queryAliases), LANGUAGE];
  return (request: RawInput): CallInput => ({
    path: pathSchema && parse(pathSchema, request.params, 'path'),
    query: hasQuery(request) || querySchema ? readQuery(request) : undefined,
    body: bodySchema && readBody(bodySchema, request.body),
  });

  /** A body that is left out is empty; one that is `null` is none that a schema takes. */
  function readBody(schema: z.ZodType, given: unknown = {}): unknown {
    const value = withoutNulls(schema, given);
    return parse(schema, isForgiving && !schema.safeParse(value).success ? {} : value, 'body');
  }

  function readQuery(request: RawInput): unknown {
    if (isForgiving || !hasQuery(request)) return parse(query, {}, 'query');
    const { [LANGUAGE]: _, ...given } = request.query;
    assertNotRepeated(given, [...Object.keys(query.shape), ...Object.keys(queryAliases)]);
    return parse(query, withoutAliases(given, queryAliases), 'query', alsoKnown);
  }
}

/** Whether there is a query string. Most calls have none, and Express would parse it when it is read. */
function hasQuery({ url }: RawInput): boolean {
  return url.includes('?');
}

function parse(schema: z.ZodType, value: unknown, part: keyof CallInput, alsoKnown: readonly string[] = []): unknown {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw parseFailure(parsed.error, part, schema, alsoKnown);
}

/** Throws when a known parameter is repeated. */
function assertNotRepeated(given: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const repeated = known.filter((name) => Object.hasOwn(given, name) && Array.isArray(given[name]));
  if (repeated.length === 0) return;
  throw new ValidationFailure(
    repeated.map((name) => ({ loc: ['query', name], type: 'repeated', problem: { code: 'repeated' } })),
  );
}

/** The query with the names of the schema. Throws when a parameter is sent under two names. */
function withoutAliases(given: Record<string, unknown>, aliases: Readonly<Record<string, string>>) {
  const read = { ...given };
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(read, alias)) continue;
    if (Object.hasOwn(read, name)) {
      throw new ValidationFailure([
        { loc: ['query', alias], type: 'same_as', problem: { code: 'same_as', details: { name } } },
      ]);
    }
    read[name] = read[alias];
    delete read[alias];
  }
  return read;
}

/** The value without nulls that mean an absent field, in the fields that the schema knows. */
function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { type, shape, element, valueType, options } = definitionOf(unwrapped(schema));
  if (type === 'union' && options) {
    const meant = options.find((option) => knowsFields(option, value));
    return meant ? withoutNulls(meant, value) : value;
  }
  if (Array.isArray(value)) {
    return type === 'array' && element && isStructured(element)
      ? value.map((one) => withoutNulls(element, one))
      : value;
  }
  if (type === 'object' && shape) return fieldsWithoutNulls(shape, value);
  if (type !== 'record' || !valueType || !isStructured(valueType)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNulls(valueType, one)]));
}

function fieldsWithoutNulls(shape: Readonly<Record<string, z.ZodType>>, value: object): unknown {
  const read: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(shape)) {
    if (!Object.hasOwn(read, name)) continue;
    if (read[name] === null && isOptional(field) && !field.safeParse(null).success) delete read[name];
    else if (isStructured(field)) read[name] = withoutNulls(field, read[name]);
  }
  return read;
}

/** Whether a form of a union is that of the value. */
function knowsFields(form: z.ZodType, value: object): boolean {
  const { shape } = definitionOf(unwrapped(form));
  return shape !== undefined && Object.keys(value).every((name) => Object.hasOwn(shape, name));
}

function isOptional(field: z.ZodType): boolean {
  return field._zod.optin !== undefined;
}

function isStructured(schema: z.ZodType): boolean {
  return ['object', 'array', 'record', 'union'].includes(definitionOf(unwrapped(schema)).type);
}
