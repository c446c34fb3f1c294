/** Named parts of the interface description. Generated clients use their names. */
import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import type { z } from '../http/input/fields.ts';
import { definitionOf } from '../http/input/problems.ts';

export interface Reference {
  readonly $ref: string;
}

type Kind = 'examples' | 'headers' | 'parameters' | 'responses';
export interface Components extends Required<Pick<ZodOpenApiComponentsObject, Kind>> {
  /** The schemas without an id, each with the named schema that replaces it. */
  readonly named: Map<z.ZodType, z.ZodType>;
  /** The examples of each response that is a component, as JSON. */
  readonly failures: Map<string, string>;
}

/** `If-None-Match`, `backtest_id`, `getQuote` → `IfNoneMatch`, `BacktestId`, `GetQuote`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[-_ ])([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** Makes the part a component, unless one of its name exists, and returns a reference. */
export function refer<K extends Kind>(
  components: Components,
  kind: K,
  name: string,
  part: Components[K][string],
): Reference {
  const named: Record<string, unknown> = components[kind];
  named[name] ??= part;
  return { $ref: `#/components/${kind}/${name}` };
}

/** The schema with a name, which makes it a component. */
export function nameSchema({ named }: Components, schema: z.ZodType, name: string): z.ZodType {
  if (schema.meta()?.id !== undefined) return schema;
  const known = named.get(schema) ?? schema.meta({ id: name });
  named.set(schema, known);
  return known;
}

const READ_VERB = /^(get|list|search)(?=[A-Z])/;

/** A name for the `data` of an operation: `UserList` for a page of `User`, `Usage` for `getUsage`. */
export function dataName(operationId: string, schema: z.ZodType): string {
  const { total, items } = definitionOf(schema).shape ?? {};
  const item = total && items && definitionOf(items).element;
  const itemName = item?.meta()?.id;
  if (itemName !== undefined) return `${itemName}List`;
  return READ_VERB.test(operationId) ? operationId.replace(READ_VERB, '') : `${pascalCase(operationId)}Data`;
}
