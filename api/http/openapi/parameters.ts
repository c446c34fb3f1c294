/** Request parameters and bodies in the interface description. */

import { CLIENT_KINDS } from '../../../db/back-office/access-records.ts';
import type { BodyLimits } from '../input/body.ts';
import { z } from '../input/fields.ts';
import { definitionOf, unwrapped } from '../input/problems.ts';
import type { Route } from '../route.ts';
import type { SchemaPart } from './components.ts';

const languageQuery = z.object({
  lang: z
    .string()
    .max(100)
    .optional()
    .openapi({ description: 'Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language' }),
});

/** The query parameters of a route, including the one that every route accepts. */
export function queryOf({ querySchema }: Route): z.ZodObject {
  return querySchema ? querySchema.extend(languageQuery.shape) : languageQuery;
}

const ifNoneMatch = z
  .string()
  .optional()
  .openapi({ description: 'The `ETag` of an answer that the caller has cached' });
const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .openapi({
    description:
      'Printable characters that identify a request. A call with the same key, method, and path within 24 hours ' +
      'only gets the first answer again, with `Idempotent-Replayed: true`. Answers of 2xx up to 32 MiB are kept, ' +
      '256 MiB per account. Ignored for guests.',
  });
const prefer = z.string().max(200).optional().openapi({
  description: '`respond-async`: answer at once with 202 and the queued job, instead of waiting for its result',
});
const range = z
  .string()
  .max(200)
  .optional()
  .openapi({ description: 'The part of the file to send, such as `bytes=1000-`' });
const ifRange = z
  .string()
  .max(200)
  .optional()
  .openapi({ description: 'The `ETag` of the part that the caller has. If the file has changed, all of it is sent' });
const ifMatch = z
  .string()
  .max(1_000)
  .optional()
  .openapi({ description: 'The `ETag` that the file must have; 412 if it has another' });
const clientKind = z
  .string()
  .max(64)
  .optional()
  .openapi({
    description: `Kind of the client, for statistics: ${CLIENT_KINDS.join(', ')}. Otherwise guessed from \`User-Agent\``,
  });
const visitorId = z
  .string()
  .max(200)
  .optional()
  .openapi({
    description:
      'A random id that a browser keeps, to count visitors: 8 to 64 letters, digits, `-`, and `_`. For the client ' +
      'kind `web` only',
  });

/** The request headers that the route reads, besides credentials. */
export function headersOf({ caching, takesIdempotencyKey, takesPrefer, isResumable }: Route): z.ZodObject {
  return z.object({
    ...((caching || isResumable) && { 'If-None-Match': ifNoneMatch }),
    ...(takesIdempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    ...(takesPrefer && { Prefer: prefer }),
    ...(isResumable && { 'If-Match': ifMatch, Range: range, 'If-Range': ifRange }),
    'X-Client-Kind': clientKind,
    'X-Visitor-Id': visitorId,
  });
}

/** The body of a route. It is optional if an empty one is valid. */
export function requestBodyOf({ bodySchema, bodyExample, bodyLimits }: Route) {
  if (!bodySchema) return undefined;
  return {
    required: !bodySchema.safeParse({}).success,
    description: bodyLimits && sizeText(bodyLimits),
    content: { 'application/json': { schema: bodySchema, example: bodyExample } },
  };
}

function sizeText({ maxBytes, maxValues }: BodyLimits): string {
  return `At most ${maxBytes / 1024} KiB, and ${maxValues} keys and list items`;
}

/** A described schema with the defaults of its fields, which the generator loses for fields with their own description. */
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
  const { type, defaultValue } = definitionOf(schema);
  if (type !== 'default' && type !== 'prefault') return described;
  return 'default' in described ? described : { ...described, default: defaultValue };
}
