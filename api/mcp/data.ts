/** Values of answers. */

export type Data = Readonly<Record<string, unknown>>;

export function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Some members of an object, without those that are not there. */
export function pick(value: Data, ...names: readonly string[]): Record<string, unknown> {
  return given(Object.fromEntries(names.map((name) => [name, value[name]])));
}

/** The members of an object that have a value. */
export function given(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

/** All members of an object but some. */
export function without(value: Data, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** The value at a path of names and places, separated by dots; undefined where there is none. */
export function partOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return part[Number(name)];
    return isData(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }, value);
}
