/** The members of an object as JSON, without its braces, for texts that are written in parts; `undefined` is left out. */
export function jsonMembers(values: object): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',');
}
