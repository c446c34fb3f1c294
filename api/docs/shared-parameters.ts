/** Parameters of many operations as components of the interface description. */
import type { oas32 } from 'zod-openapi';
import { pascalCase } from './parameters.ts';

export function operationsIn(paths: oas32.PathsObject): oas32.OperationObject[] {
  return Object.values(paths).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((operation) => operation !== undefined),
  );
}

/** Makes parameters that are repeated components. Of different ones with a name, the most frequent gets it. Changes the document. */
export function shareParameters({ paths = {}, components = {} }: oas32.OpenAPIObject): void {
  const lists = operationsIn(paths).flatMap(({ parameters }) => (parameters === undefined ? [] : [parameters]));
  const repeated = [...Map.groupBy(lists.flat(), (one) => JSON.stringify(one)).values()]
    .filter(([one, ...others]) => !('$ref' in one) && others.length > 0)
    .sort((a, b) => b.length - a.length);
  const named: Record<string, oas32.ParameterObject | oas32.ReferenceObject> = { ...components.parameters };
  const references = new Map<string, oas32.ReferenceObject>();
  for (const [one] of repeated) {
    const name = 'name' in one ? pascalCase(one.name) : '';
    if (name in named) continue;
    named[name] = one;
    references.set(JSON.stringify(one), { $ref: `#/components/parameters/${name}` });
  }
  components.parameters = named;
  for (const list of lists)
    list.splice(0, list.length, ...list.map((one) => references.get(JSON.stringify(one)) ?? one));
}
