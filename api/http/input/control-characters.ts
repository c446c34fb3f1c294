/**
 * Text without control characters. The patterns are part of the interface description, so they use no classes such as
 * `\p{Cc}`, which the regular expressions of other languages lack.
 */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f`;

/** A text of one line. */
export const ONE_LINE = new RegExp(`^[^${CONTROL}]*$`);

/** A text of lines with tabs. */
export const LINES = new RegExp(String.raw`^(?:[^${CONTROL}]|[\n\r\t])*$`);

/** A relative path without empty, hidden, or upper folders. */
export const RELATIVE_PATH = new RegExp(
  String.raw`^[^./\\${CONTROL}][^/\\${CONTROL}]*(?:/[^./\\${CONTROL}][^/\\${CONTROL}]*)*$`,
);

/** Whether a pattern refuses control characters and nothing else. */
export const refusesControlCharacters = (pattern: string): boolean =>
  [ONE_LINE, LINES].some((one) => String(one) === pattern);
