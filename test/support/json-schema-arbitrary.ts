/** Values that a JSON Schema allows, values that it nearly allows, and hostile values. */
import fc from 'fast-check';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: fc
    .date({ min: new Date('2015-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
    .map((d) => d.toISOString().slice(0, 10)),
  'date-time': fc
    .date({ min: new Date('2015-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
    .map((d) => d.toISOString()),
  email: fc.nat(99).map((n) => `fuzz${n}@example.com`),
  uuid: fc.uuid(),
  uri: fc.webUrl(),
};

/** Words that have a meaning somewhere in the service. */
const WORDS = [
  'ACRX',
  'MTMX.US',
  'acrx.us',
  'close',
  'rsi',
  'gt',
  'sma_cross',
  '1Y',
  'day',
  'qfq',
  'en',
  'stock',
  'trailing-stops',
];

export function validValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(validValue));
  if (schema.allOf) return fc.tuple(...schema.allOf.map(validValue)).map((parts) => Object.assign({}, ...parts));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string | undefined, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 2_000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'array':
      return fc.array(validValue(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, validValue(one)])),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    case 'string':
      return stringOf(schema);
    default:
      return fc.oneof(fc.constantFrom(...WORDS), fc.nat(100), fc.boolean());
  }
}

function stringOf({ format, pattern, minLength = 0, maxLength = 30, example }: JsonSchema): fc.Arbitrary<string> {
  if (format && FORMATS[format]) return FORMATS[format];
  const known = fc.constantFrom(...(typeof example === 'string' ? [example] : []), ...WORDS);
  if (pattern) return fc.oneof(fc.stringMatching(new RegExp(pattern)), known);
  return fc.oneof(known, fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) }));
}

/** Hostile values that no client sends on purpose. */
const HOSTILE: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '🦆'.repeat(50),
    'x'.repeat(10_000),
    '%00',
    '%',
    '%zz',
    '../../etc/passwd',
  ],
  ...[
    "' or 1=1 --",
    '"; drop table users; --',
    '$1',
    '$'.concat('{jndi:ldap://x}'),
    '{{7*7}}',
    '<script>alert(1)</script>',
    '=cmd|calc',
  ],
  ...[
    'NaN',
    'Infinity',
    '-0',
    '1e309',
    '9'.repeat(400),
    '0x10',
    '1_000',
    '-1',
    '2025-02-30',
    '0000-00-00',
    '+999999-01-01',
  ],
  ...[
    null,
    true,
    false,
    0,
    -1,
    1e308,
    -1e-320,
    2 ** 53,
    4294967296,
    [],
    {},
    [[]],
    [null],
    { length: 1e9 },
    { toString: 1 },
  ],
  ...[JSON.parse('{"__proto__":{"isAdmin":true}}'), JSON.parse('{"constructor":{"prototype":{}}}'), { $gt: '' }],
  ...[Array(2_000).fill('A'), Array(300).fill({}), deep(200)],
];

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 ? { a: value } : [value];
  return value;
}

export const hostileValue = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.jsonValue(),
);

/** Generates a valid value with one or two faults. */
export function nearlyValidValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc
    .tuple(validValue(schema), fc.array(fc.tuple(fc.nat(), hostileValue, fc.nat(3)), { minLength: 1, maxLength: 2 }))
    .map(([value, changes]) => changes.reduce((whole, [at, bad, how]) => spoil(whole, at, bad, how), value));
}

function spoil(value: unknown, at: number, bad: unknown, how: number): unknown {
  if (typeof value !== 'object' || value === null) return bad;
  const keys = Object.keys(value);
  if (keys.length === 0) return how === 0 ? bad : { unknown_field: bad };
  const key = keys[at % keys.length];
  const copy = structuredClone(value) as Record<string, unknown>;
  if (how === 0) delete copy[key];
  else if (how === 1) copy[`${key}_`] = bad;
  else if (how === 2) copy[key] = spoil(copy[key], at >> 3, bad, at % 4);
  else copy[key] = bad;
  return copy;
}
