/** Reads what a `catch` has caught, which can be anything. */

/** The `code` of an error of Node, of PostgreSQL (SQLSTATE), or of a library. */
export function codeOf(thrown: unknown): string | undefined {
  return stringProperty(thrown, 'code');
}

/** A property of an error that has it as text. */
export function stringProperty(thrown: unknown, name: string): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' ? value : undefined;
}

/** The error itself; anything else that was thrown becomes the message of one. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
