/** The value itself; throws if it is missing. For values that are there unless the program is wrong. */
export function required<T>(value: T | null | undefined, name = 'the value'): T {
  if (value === null || value === undefined) throw new Error(`${name} is missing`);
  return value;
}
