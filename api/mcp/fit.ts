/** Cuts answers to the length that an assistant reads at once. */
import { type Data, given, isData, without } from './data.ts';

/** Tokens of one answer, as text or as structured content. */
const MAX_TOKENS = 1_500;
/** Room for errors of the estimate, and for the budget that every answer carries. */
const MARGIN = 100;

/** Pieces that tokenizers keep apart: three digits, a word, signs, space, anything else. */
const PIECES = /\p{N}{1,3}|[A-Za-z]+|[^\p{L}\p{N}\s]+|\s+|\p{L}/gu;
const CHARS_PER_TOKEN = 7;

/** About how many tokens (o200k) a value has as JSON; rather more than fewer. */
function estimateTokens(value: unknown): number {
  let tokens = 0;
  for (const [piece] of JSON.stringify(value).matchAll(PIECES)) {
    tokens += /^[A-Za-z]/.test(piece)
      ? Math.ceil(piece.length / CHARS_PER_TOKEN)
      : /^[\p{N}\p{L}\s]/u.test(piece)
        ? 1
        : Math.ceil(piece.length / 3);
  }
  return tokens;
}

interface Place {
  readonly path: readonly string[];
  readonly items: readonly unknown[];
}

/** All lists in an answer, outer ones first. */
function* listsIn(value: unknown, path: readonly string[] = []): Generator<Place> {
  if (Array.isArray(value)) yield { path, items: value };
  if (!Array.isArray(value) && !isData(value)) return;
  for (const [key, part] of Object.entries(value)) yield* listsIn(part, [...path, key]);
}

function withAt(value: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part;
  if (Array.isArray(value)) return value.map((one, i) => (String(i) === key ? withAt(one, rest, part) : one));
  return isData(value) ? given({ ...value, [key]: withAt(value[key], rest, part) }) : value;
}

export interface FitOptions {
  /** Names of members that are given whole or not at all. */
  readonly whole?: readonly string[];
  readonly tokens?: number;
}

/** The share of a list that is too long which remains at each step. */
const KEPT = 0.8;

/**
 * The answer within its tokens: the longest list is shortened until it fits, then members are left out, the longest first. `cut` says
 * how many items a list had, `omitted` which members are missing.
 */
export function fitted(answer: Data, { whole = [], tokens = MAX_TOKENS - MARGIN }: FitOptions = {}): Data {
  const cut: Record<string, number> = {};
  const omitted: string[] = [];
  const told = (): Data => ({
    ...(Object.keys(cut).length > 0 ? { cut } : {}),
    ...(omitted.length > 0 ? { omitted } : {}),
  });
  let shown: Data = answer;
  while (estimateTokens({ ...shown, ...told() }) > tokens) {
    const list = longestList(without(shown, ...whole));
    if (list !== undefined) {
      cut[list.path.join('.')] ??= list.items.length;
      shown = replaced(shown, list.path, list.items.slice(0, Math.floor(list.items.length * KEPT)));
      continue;
    }
    const path = longestMember(shown, whole);
    if (path.length === 0) break;
    omitted.push(path.join('.'));
    shown = replaced(shown, path, undefined);
  }
  return { ...shown, ...told() };
}

function longestList(answer: Data): Place | undefined {
  const [longest] = [...listsIn(answer)]
    .filter(({ items }) => items.length > 1)
    .map((list) => ({ ...list, size: estimateTokens(list.items) }))
    .sort((a, b) => b.size - a.size || b.path.length - a.path.length);
  return longest;
}

/** The path of the longest member, or of the longest part of it if it may be given in part. */
function longestMember(answer: Data, whole: readonly string[]): readonly string[] {
  const longest = (of: Data) =>
    Object.keys(of)
      .map((key) => ({ key, size: estimateTokens(of[key]) }))
      .sort((a, b) => b.size - a.size)[0]?.key;
  const key = longest(answer);
  if (key === undefined) return [];
  const member = answer[key];
  const part = isData(member) && !whole.includes(key) && Object.keys(member).length > 1 ? longest(member) : undefined;
  return part === undefined ? [key] : [key, part];
}

function replaced(answer: Data, path: readonly string[], part: unknown): Data {
  const changed = withAt(answer, path, part);
  return isData(changed) ? given(changed) : answer;
}

/** The beginning of a text, in whole lines, that has at most so many tokens. */
export function beginningOf(text: string, tokens: number): string {
  const lines = text.split('\n');
  let [taken, left] = [0, tokens];
  for (; taken < lines.length; taken++) {
    left -= estimateTokens(`${lines[taken]}\n`);
    if (left < 0 && taken > 0) break;
  }
  return lines.slice(0, taken).join('\n');
}
