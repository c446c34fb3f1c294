/** Calls operations by their id. */
import { InvalidOption } from './errors.ts';
import { OPERATIONS } from './operations.ts';
import { checkCallOptions } from './options.ts';
import type { CallOptions, Read, Transport, WireCall } from './transport.ts';
import type { AnyInput, Data, InputOf, OperationId } from './types.ts';

export interface OperationOptions extends CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Identifies the call if the program repeats it. Default: a random key for each call. */
  readonly idempotencyKey?: string;
}

/** Calls an operation and returns its data. */
export type Call = <Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  options?: OperationOptions,
) => Promise<Data<Id>>;

/** Operations that keep nothing although they are a POST: their input is too long for a query. */
const READING_POSTS: ReadonlySet<OperationId> = new Set<OperationId>([
  'getBatch',
  'runScreener',
  'runJudgement',
  'previewArticle',
]);

export type Caller = ReturnType<typeof openCaller>;

export function openCaller(transport: Transport) {
  /** The raw response of an operation, for files. */
  const open = async <T>(id: OperationId, input: AnyInput, read: Read<T>, options: OperationOptions = {}) => {
    checkCallOptions(options);
    return transport.send(wireCall(id, input, options), read, options);
  };
  /** Untyped data, for code that handles several operations. */
  const data = (id: OperationId, input: AnyInput, options?: OperationOptions) => open(id, input, dataOf, options);
  const call: Call = data;
  return { open, data, call };
}

/** `data` of an envelope. */
async function dataOf(response: Response) {
  return JSON.parse(await response.text()).data;
}

function wireCall(
  id: OperationId,
  { path = {}, query = {}, body, file }: AnyInput,
  options: OperationOptions,
): WireCall {
  if (!Object.hasOwn(OPERATIONS, id)) throw new InvalidOption(`there is no operation "${id}"`);
  const [method, template, takesKey = false] = OPERATIONS[id];
  const values = new Map<string, unknown>(Object.entries(path));
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const headers: Record<string, string> = { ...options.headers };
  if (method !== 'get') headers['Content-Type'] = file === undefined ? 'application/json' : 'application/octet-stream';
  if (takesKey) headers['Idempotency-Key'] = options.idempotencyKey ?? crypto.randomUUID();
  return {
    method,
    path: search.size > 0 ? `${filled}?${search}` : filled,
    operation: template,
    headers,
    body: method === 'get' ? undefined : (body ?? {}),
    file,
    isEndless: id === 'getStream',
    // Rows that are appended twice are there twice.
    isRepeatable: search.get('mode') !== 'append' && (takesKey || method !== 'post' || READING_POSTS.has(id)),
  };
}
