/** JSON from parts, some of which are JSON text already. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonMembers } from '../../../engine/util/json-members.ts';

/** Text that is sent in one piece. */
const PIECE_CHARS = 64 * 1024;
/** How long one turn of the event loop makes text. */
const TURN_MS = 8;

/** A member of an object: its name, and its value as JSON text. */
export type JsonMember = readonly [name: string, text: string];

/** An object with the members of `values`, followed by `members`. */
export function jsonObject(values: object, members: readonly JsonMember[]): string {
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
