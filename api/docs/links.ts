/** Links in the interface description: what an answer names, as the parameter of the operations on it. */
import type { ZodOpenApiLinksObject } from 'zod-openapi';
import type { Route } from '../call/route.ts';
import type { z } from '../http/input/fields.ts';
import { definitionOf, unwrapped } from '../http/input/problems.ts';

/** The links of an answer with `data` of a schema, if any: `GET /v1/my/watches` → `GET /v1/my/watches/{watch_id}`. */
export function linksOf(route: Route, data: z.ZodType, routes: readonly Route[]): ZodOpenApiLinksObject | undefined {
  const links = routes.flatMap((target) => {
    const parameters = linkedParameters(route, data, target.path);
    return parameters ? [[target.operationId, { operationId: target.operationId, parameters }]] : [];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

/** The parameters of a path from a call and its answer; null where the answer does not name just what the path needs more. */
function linkedParameters(route: Route, data: z.ZodType, path: string): Record<string, string> | null {
  const isBelow = path.startsWith(route.path);
  // A search for symbols leads to the data of each.
  if (!isBelow && !(route.access === 'anyone' && path.endsWith('/{symbol}'))) return null;
  const rest = isBelow ? path.slice(route.path.length) : path;
  const [name, ...others] = parametersIn(rest);
  if (name === undefined || others.length > 0) return null;
  // The `id` of an answer is that of what is next in the path, which may have the plural: `/v1/backtest`, `/v1/backtests/{backtest_id}`.
  const isNext = rest.startsWith(`/{${name}}`) || rest.startsWith(`s/{${name}}`);
  const place = placeOf(data, isNext && name.endsWith('_id') ? [name, 'id'] : [name]);
  if (place === undefined || (!isBelow && !place.startsWith('items'))) return null;
  const known = parametersIn(isBelow ? route.path : '').map((given) => [given, `$request.path.${given}`]);
  return Object.fromEntries([...known, [name, `$response.body#/data/${place}`]]);
}

function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/** Where an answer, or the first item of a list, has a field of one of the names. */
function placeOf(data: z.ZodType, names: readonly string[]): string | undefined {
  const fields = shapeOf(data);
  const { element } = fields.items ? definitionOf(unwrapped(fields.items)) : {};
  const ofItems = element ? shapeOf(element) : {};
  const own = names.find((name) => name in fields);
  const ofItem = names.find((name) => name in ofItems);
  return own ?? (ofItem && `items/0/${ofItem}`);
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return definitionOf(unwrapped(schema)).shape ?? {};
}
