/** Parameters and bodies of requests in the interface description. */

import { CLIENT_KINDS } from '../../../db/back-office/access-records.ts';
import { type BodyLimits, COMMON_BODY, MAX_BODY_DEPTH } from '../input/body.ts';
import { z } from '../input/fields.ts';
import { definitionOf, unwrapped } from '../input/problems.ts';
import type { Route } from '../route.ts';
import type { SchemaPart } from './components.ts';

const languageQuery = z.object({
  lang: z
    .string()
    .max(100)
    .optional()
    .openapi({ description: 'Language: en, zh-CN, zh-TW and their aliases; wins over Accept-Language' }),
});

/** The query parameters of a route, with the one that every route takes. */
export function queryOf({ querySchema }: Route): z.ZodObject {
  return querySchema ? querySchema.extend(languageQuery.shape) : languageQuery;
}

const ifNoneMatch = z.string().optional().openapi({ description: 'The `ETag` of an answer that the caller has kept' });
const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .openapi({
    description:
      'Of one order, printable characters: a call with the same key, method and path within 24 hours is answered as the ' +
      'first one was, with `Idempotent-Replayed: true`, and does nothing more. Only answers of 2xx up to 32 MiB are kept, ' +
      '256 MiB per account. Ignored for guests.',
  });
const prefer = z.string().max(200).optional().openapi({
  description: '`respond-async`: answer 202 with the queued job at once instead of waiting for its result',
});
const range = z.string().max(200).optional().openapi({ description: 'The part of the file to send: `bytes=1000-`' });
const ifRange = z
  .string()
  .max(200)
  .optional()
  .openapi({ description: 'The `ETag` of the part that the caller has; another file is sent whole' });
const clientKind = z
  .string()
  .max(64)
  .optional()
  .openapi({
    description:
      `The kind of the client, for the statistics of use: ${CLIENT_KINDS.join(', ')}. Default, and for any other word: ` +
      'guessed from `User-Agent`',
  });
const visitorId = z
  .string()
  .max(200)
  .optional()
  .openapi({
    description:
      'A random id that a browser keeps, 8 to 64 letters, digits, `-` and `_`, by which visitors are counted. Used for the ' +
      'client kind `web` only; anything else counts as absent',
  });

/** Headers of a request that mean something to the route, besides credentials. */
export function headersOf({ caching, takesIdempotencyKey, takesPrefer, isResumable }: Route): z.ZodObject {
  return z.object({
    ...(caching && { 'If-None-Match': ifNoneMatch }),
    ...(takesIdempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    ...(takesPrefer && { Prefer: prefer }),
    ...(isResumable && { Range: range, 'If-Range': ifRange }),
    'X-Client-Kind': clientKind,
    'X-Visitor-Id': visitorId,
  });
}

/** The body of a route. It may be left out where an empty one would do. */
export function requestBodyOf({ bodySchema, bodyExample, bodyLimits = COMMON_BODY }: Route) {
  if (!bodySchema) return undefined;
  const { maxBytes, maxValues }: BodyLimits = bodyLimits;
  return {
    required: !bodySchema.safeParse({}).success,
    description: `At most ${maxBytes / 1024} KiB, ${maxValues} keys and list items, and ${MAX_BODY_DEPTH} levels; otherwise 413`,
    content: { 'application/json': { schema: bodySchema, example: bodyExample } },
  };
}

/** A described schema with the defaults of its fields, which are lost where a field says how it is described. */
export function withDefaults(schema: z.ZodType, described: SchemaPart): SchemaPart {
  const { shape, element } = definitionOf(unwrapped(schema));
  if (shape && described.properties) {
    const properties = Object.entries(described.properties).map(([name, one]) => [
      name,
      shape[name] ? withDefaults(shape[name], one) : one,
    ]);
    return defaulted(schema, { ...described, properties: Object.fromEntries(properties) });
  }
  if (element && described.items) {
    return defaulted(schema, { ...described, items: withDefaults(element, described.items) });
  }
  return defaulted(schema, described);
}

function defaulted(schema: z.ZodType, described: SchemaPart): SchemaPart {
  const { type, defaultValue } = schema.def as { type: string; defaultValue?: unknown };
  if (type !== 'default' && type !== 'prefault') return described;
  return 'default' in described ? described : { ...described, default: defaultValue };
}
