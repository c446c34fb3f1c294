/** Values of a form in the address of its page, so that a link fills it again. */

/** Values of the form by the names of its fields. */
export type Settings = Readonly<Record<string, string>>;

/** The values that an address names. */
export function settingsInAddress(): Settings {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Values of parameters, by their own names. */
export function parametersIn(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => name.startsWith('p.'))
      .map(([name, value]) => [name.slice(2), value]),
  );
}

/** `10` → 10, `true` → true, `band` → `band`. */
export function literal(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
