/** JSON that is made while it is sent. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Text that is sent in one piece. */
const PIECE_CHARS = 64 * 1024;
/** How long one turn of the event loop goes on making text. */
const TURN_MS = 8;

/** A member of an object: its name, and its value as JSON text. */
export type JsonMember = readonly [name: string, text: string];

/**
 * Text of an object with the members of `head`, then one member `name` that is an object of its own and holds what
 * `members` gives, then the members of `tail`, which is asked for last. Other work gets its turn in between.
 */
export async function* jsonObject(
  head: object,
  name: string,
  members: AsyncIterable<JsonMember>,
  tail: () => object,
): AsyncGenerator<string> {
  let text = `{${membersOf(head)},${JSON.stringify(name)}:{`;
  let separator = '';
  let since = performance.now();
  for await (const [key, value] of members) {
    text += `${separator}${JSON.stringify(key)}:${value}`;
    separator = ',';
    if (text.length >= PIECE_CHARS) {
      yield text;
      text = '';
    }
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  yield `${text}},${membersOf(tail())}}`;
}

function membersOf(values: object): string {
  return Object.entries(values)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',');
}
