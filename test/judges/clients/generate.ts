/**
 * Writes the generated parts of the client from the routes of the service: `api-types.ts` and `operations.ts`. With
 * `--check` it only compares.
 *
 *     npm run generate --workspace market-data-client
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { buildOpenApi } from '../../../api/docs/openapi.ts';
import { ERRORS } from '../../../api/http/errors/catalogue.ts';
import { ROUTES } from '../../../api/routes.ts';

const CLIENT = new URL('../../../api/clients/typescript/', import.meta.url);
const NOTE = '// Written by generate.ts from the interface description. Do not edit.\n';

/** A body with parameters of strategies next to its own fields. Types cannot distinguish them, so the client uses `params`. */
function isFlatForm(value: unknown): value is { readonly additionalProperties: true } {
  if (typeof value !== 'object' || value === null || !('properties' in value)) return false;
  return 'additionalProperties' in value && value.additionalProperties === true;
}

/** Removes parts of the description that users of the client do not see. */
function withoutWire(name: string, value: unknown): unknown {
  if (['headers', 'examples', 'example', 'security'].includes(name)) return undefined;
  if (name === 'parameters' && Array.isArray(value)) {
    return value.map(resolved).filter((parameter) => parameter.in !== 'header');
  }
  if (isFlatForm(value)) {
    const { additionalProperties: _, ...named } = value;
    return named;
  }
  if (name === 'responses') {
    return Object.fromEntries(Object.entries(value ?? {}).filter(([status]) => status < '300'));
  }
  return value;
}

const document = JSON.parse(JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000')));

function resolved<P extends { readonly $ref?: string }>(parameter: P): P {
  const name = parameter.$ref?.split('/').at(-1);
  return name === undefined ? parameter : document.components.parameters[name];
}

function sorted(parts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function apiTypes(): Promise<string> {
  const described = JSON.parse(JSON.stringify(document, withoutWire));
  // Sorted, because their order in the description changes with every change of it.
  described.components.schemas = sorted(described.components.schemas);
  // They stand in each operation.
  delete described.components.parameters;
  const nodes = await openapiTypescript(described, { immutable: true, defaultNonNullable: false, silent: true });
  const kept = nodes.filter(
    (node) => ts.isInterfaceDeclaration(node) && ['components', 'operations'].includes(node.name.text),
  );
  return `${NOTE}${astToString(kept)}`;
}

function operations(): string {
  const rows = ROUTES.map(({ operationId, method, path, takesIdempotencyKey }) => {
    const facts = [`'${method}'`, `'${path}'`, ...(takesIdempotencyKey ? ['true'] : [])];
    return `  ${operationId}: [${facts.join(', ')}],\n`;
  });
  const keys = Object.keys(ERRORS).map((code) => `\n  | 'error.${code}'`);
  return `${NOTE}
/** Operation → method, path, and whether it takes an idempotency key. */
export const OPERATIONS = {
${rows.join('')}} as const;

export type ErrorKey =${keys.join('')};
`;
}

const files: Readonly<Record<string, string>> = {
  'api-types.ts': await apiTypes(),
  'operations.ts': operations(),
};
const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, CLIENT);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is outdated: npm run generate --workspace market-data-client\n`);
    process.exitCode = 1;
  }
}
