/** Named parts of the interface description. Each is written once, and generated clients use its name. */

export interface Reference {
  readonly $ref: string;
}

export interface Shelf {
  readonly parts: Readonly<Record<string, object>>;
  /** A reference to a part. A new part gets the first of the names that is free. */
  readonly share: (part: object, ...names: readonly string[]) => Reference;
}

/** The components of one kind, such as `parameters` or `schemas`. Equal parts are shared. */
export function openShelf(kind: string, taken: Readonly<Record<string, object>> = {}): Shelf {
  const parts: Record<string, object> = { ...taken };
  const names = new Map(Object.entries(parts).map(([name, part]) => [JSON.stringify(part), name]));
  return {
    parts,
    share: (part, ...candidates) => {
      const content = JSON.stringify(part);
      let name = names.get(content);
      if (name === undefined) {
        name = candidates.find((one) => !Object.hasOwn(parts, one));
        if (name === undefined) throw new Error(`no free name among ${candidates.join(', ')} for a part of ${kind}`);
        names.set(content, name);
        parts[name] = part;
      }
      return { $ref: `#/components/${kind}/${name}` };
    },
  };
}

/** `If-None-Match`, `backtest_id`, `getQuote` → `IfNoneMatch`, `BacktestId`, `GetQuote`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[-_ ])([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());
}

export interface SchemaPart {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
}

export interface ParameterPart {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaPart;
}

/** A parameter with its description and example where tools look for them. */
export function tidyParameter({
  name,
  in: place,
  required,
  schema: { example, description, ...schema },
}: ParameterPart) {
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

const READING = /^(get|list|search)(?=[A-Z])/;

/** Names for the `data` schema of an operation: `listUsers` → `UserList` for a page of `User`. */
export function dataNames(operationId: string, { properties }: SchemaPart): string[] {
  const item = properties?.total && properties.items?.items?.$ref?.split('/').at(-1);
  const noun = READING.test(operationId) ? [operationId.replace(READING, '')] : [];
  return [...(item ? [`${item}List`] : []), ...noun, `${pascalCase(operationId)}Data`];
}
