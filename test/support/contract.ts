/** Extracts what clients rely on in an interface description, and compares it with a newer one. */

interface Part {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly items?: Part;
  readonly allOf?: readonly Part[];
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
  readonly schema?: Part;
  readonly name?: string;
  readonly in?: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Part[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Part }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Part }>> }>
  >;
}

export interface Described {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Part>>>>;
}

/** Where → what is accepted or answered there, such as `body.symbol` → `string`. One that must be sent ends with `!`. */
type Fields = Readonly<Record<string, string>>;

/** Method and path of an operation → what it takes and answers. */
export type Contract = Readonly<Record<string, { readonly takes: Fields; readonly answers: Fields }>>;

const JSON_TYPE = 'application/json';
const MAX_DEPTH = 8;

export function contractOf(document: Described): Contract {
  const resolved = (part: Part): Part => {
    if (part.$ref === undefined) return part;
    const [kind, name] = part.$ref.split('/').slice(2);
    return resolved(document.components[kind][name]);
  };
  const fieldsOf = (given: Part, at: string, into: Record<string, string>, depth = 0): void => {
    const part = resolved(given);
    const branches = [...(part.allOf ?? []), ...(part.anyOf ?? []), ...(part.oneOf ?? [])];
    const types = [part.type ?? []].flat().join('|');
    if (types !== '' || branches.length === 0) into[at] = [into[at], types].filter(Boolean).join('|');
    if (depth > MAX_DEPTH) return;
    for (const branch of branches) fieldsOf(branch, at, into, depth + 1);
    if (part.items) fieldsOf(part.items, `${at}[]`, into, depth + 1);
    for (const [name, one] of Object.entries(part.properties ?? {})) {
      fieldsOf(one, `${at}.${name}`, into, depth + 1);
      if (at.startsWith('body') && part.required?.includes(name)) into[`${at}.${name}`] += '!';
    }
  };
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
      const takes: Record<string, string> = {};
      const answers: Record<string, string> = {};
      for (const parameter of parameters.map(resolved)) {
        if (parameter.schema) fieldsOf(parameter.schema, `${parameter.in}.${parameter.name}`, takes);
      }
      const body = requestBody?.content[JSON_TYPE];
      if (body) fieldsOf(body.schema, 'body', takes);
      for (const [status, { content }] of Object.entries(responses)) {
        if (status < '300' && content?.[JSON_TYPE]) fieldsOf(content[JSON_TYPE].schema, status, answers);
      }
      return [`${method.toUpperCase()} ${path}`, { takes, answers }] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** The operations and fields that a client of the older contract would miss. */
export function breakingChanges(older: Contract, newer: Contract): string[] {
  return Object.entries(older).flatMap(([operation, { takes, answers }]) => {
    const now = newer[operation];
    if (now === undefined) return [`${operation} is gone`];
    const needed = Object.keys(now.takes).filter((at) => now.takes[at].endsWith('!') && !takes[at]?.endsWith('!'));
    const parents = needed.filter((at) => takes[at.replace(/\.[^.]+$/, '')] !== undefined);
    return [
      ...Object.keys(takes).flatMap((at) => (at in now.takes ? [] : [`${operation} does not take ${at}`])),
      ...parents.map((at) => `${operation} needs ${at}`),
      ...Object.keys(answers).flatMap((at) => (at in now.answers ? [] : [`${operation} does not answer ${at}`])),
      ...Object.entries(takes).flatMap(([at, types]) =>
        at in now.takes && !isWithin(types, now.takes[at]) ? [`${operation} takes no ${types} as ${at}`] : [],
      ),
      ...Object.entries(answers).flatMap(([at, types]) =>
        at in now.answers && !isWithin(now.answers[at], types)
          ? [`${operation} answers ${now.answers[at]} as ${at}, not ${types}`]
          : [],
      ),
    ];
  });
}

/** Whether every type of one list is in the other. No type at all is any type. */
function isWithin(some: string, all: string): boolean {
  const typesOf = (text: string) => text.replace('!', '').split('|').filter(Boolean);
  const allowed = typesOf(all);
  return allowed.length === 0 || typesOf(some).every((type) => allowed.includes(type) || isIntegerOf(type, allowed));
}

const isIntegerOf = (type: string, allowed: readonly string[]) => type === 'integer' && allowed.includes('number');
