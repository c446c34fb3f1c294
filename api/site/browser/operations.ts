/** Operations of the API, from its description, with their places in the reference. */

export interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly summary?: string; readonly tags?: readonly string[] }>>>
  >;
}

export interface Operation {
  readonly name: string;
  readonly tag: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly address: string;
}

export function operationsOf({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, { summary: name, tags = [] }]): Operation[] => {
      if (name === undefined) return [];
      const [tag = ''] = tags;
      const method = verb.toUpperCase();
      const address = `/docs/reference#tag/${tag.toLowerCase().replaceAll(/\W+/g, '-')}/${method}${path}`;
      return [{ name, tag, method, path, address }];
    }),
  );
}
