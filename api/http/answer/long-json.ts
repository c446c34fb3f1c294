/** JSON objects with members so long that they are passed on as bytes, never parsed, and never in memory as a whole. */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonMembers } from '../../../engine/util/values.ts';
import { JsonStream, JsonText } from './reply.ts';

/** Characters of a piece of text. */
const PIECE_CHARS = 64 * 1024;
/** How long text is made before the event loop gets a turn. */
const TURN_MS = 8;

/** A member of an object: its name, and its value as JSON text. */
export type JsonMember = readonly [name: string, text: string];

/** An object with the members of `values`, followed by `members`. */
function jsonObject(values: object, members: readonly JsonMember[]): string {
  const texts = [jsonMembers(values), ...members.map(memberText)];
  return `{${texts.filter((text) => text !== '').join(',')}}`;
}

/**
 * An object with the members of `head`, then a member `name` whose value is an object of `members`, then the members of
 * `tail`, which is called last. The text is made in pieces, and other work runs between them.
 */
export async function* jsonObjectStream(
  head: object,
  name: string,
  members: AsyncIterable<JsonMember>,
  tail: () => object,
): AsyncGenerator<string> {
  let text = `{${jsonMembers(head)},${JSON.stringify(name)}:{`;
  let separator = '';
  let since = performance.now();
  for await (const member of members) {
    text += `${separator}${memberText(member)}`;
    separator = ',';
    if (text.length >= PIECE_CHARS) {
      yield text;
      text = '';
    }
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  yield `${text}},${jsonMembers(tail())}}`;
}

function memberText([name, text]: JsonMember): string {
  return `${JSON.stringify(name)}:${text}`;
}

/** A member of an object: its name, and its value as JSON. */
export type LongMember = readonly [name: string, value: JsonText | JsonStream];

/** An object with the members of `values`, followed by `members`. It is a stream if one of them is. */
export function objectWith(values: object, members: readonly LongMember[]): JsonText | JsonStream {
  const texts = members.flatMap(([name, value]) => (value instanceof JsonText ? [[name, value.text] as const] : []));
  if (texts.length === members.length) return new JsonText(jsonObject(values, texts));
  const tags = members.map(([name, value]) => [name, value instanceof JsonText ? value.text : value.tag]);
  const isTagged = tags.every(([, tag]) => tag !== null);
  const tag = isTagged ? hash('sha1', JSON.stringify([values, tags]), 'base64url') : null;
  return new JsonStream({ [Symbol.asyncIterator]: () => piecesOf(values, members) }, tag);
}

/** An array of values. It is a stream if one of them is. */
export function arrayOf(values: readonly (JsonText | JsonStream)[]): JsonText | JsonStream {
  const texts = values.flatMap((value) => (value instanceof JsonText ? [value.text] : []));
  if (texts.length === values.length) return new JsonText(`[${texts.join(',')}]`);
  const tags = values.map((value) => (value instanceof JsonText ? value.text : value.tag));
  const tag = tags.includes(null) ? null : hash('sha1', JSON.stringify(tags), 'base64url');
  return new JsonStream({ [Symbol.asyncIterator]: () => piecesOfAll(values) }, tag);
}

async function* piecesOfAll(values: readonly (JsonText | JsonStream)[]): AsyncGenerator<string | Buffer> {
  for (const [i, value] of values.entries()) {
    yield i === 0 ? '[' : ',';
    if (value instanceof JsonText) yield value.text;
    else yield* value.pieces;
  }
  yield ']';
}

async function* piecesOf(values: object, members: readonly LongMember[]): AsyncGenerator<string | Buffer> {
  let text = `{${jsonMembers(values)}`;
  for (const [name, value] of members) {
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    if (value instanceof JsonText) {
      text += value.text;
      continue;
    }
    yield text;
    yield* value.pieces;
    text = '';
  }
  yield `${text}}`;
}

/** Separates two rows. No text in our rows contains it; a text that did would lead to invalid JSON, not to a wrong row. */
const BETWEEN = '},{';

/** The rows of an array of objects that are complete within its first `maxBytes`. */
export async function* firstRows(array: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes;
  let held = Buffer.alloc(0);
  let end = '[]';
  for await (const piece of array) {
    const bytes = Buffer.concat([held, piece]);
    const isLast = bytes.length > left;
    const cut = (isLast ? bytes.subarray(0, left) : bytes).lastIndexOf(BETWEEN) + 1;
    if (cut > 0) {
      yield bytes.subarray(0, cut);
      end = ']';
    }
    if (isLast) return void (yield Buffer.from(end));
    left -= cut;
    held = bytes.subarray(cut);
  }
  yield held;
}

/** The first rows of an array of objects. */
export async function* firstCount(array: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  let text = '[';
  for await (const rows of rowsOf(array)) {
    const some = rows.slice(0, left);
    if (some.length > 0) {
      yield Buffer.from(text + some.map((row) => JSON.stringify(row)).join(','));
      text = ',';
    }
    left -= some.length;
    if (left === 0) break;
  }
  yield Buffer.from(text === '[' ? '[]' : ']');
}

/** The rows of an array of objects, in batches. */
export async function* rowsOf(array: AsyncIterable<string | Buffer>): AsyncGenerator<Record<string, unknown>[]> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of array) {
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const cut = text.lastIndexOf(BETWEEN) + 1;
    if (cut === 0) continue;
    yield JSON.parse(`${text.slice(0, cut)}]`);
    text = `[${text.slice(cut + 1)}`;
  }
  yield JSON.parse(text);
}

/** Distributes `maxBytes`: short parts get all that they need, and long ones share the rest. */
export function sharesOf(bytes: readonly number[], maxBytes: number): number[] {
  const shares = bytes.map(() => 0);
  let left = maxBytes;
  const shortestFirst = bytes.map((_, i) => i).sort((a, b) => bytes[a] - bytes[b]);
  for (const [done, i] of shortestFirst.entries()) {
    shares[i] = Math.min(bytes[i], Math.floor(left / (bytes.length - done)));
    left -= shares[i];
  }
  return shares;
}
