/** The notes of the API about a result: warnings first, then remarks. */
import { html } from 'lit';

interface Told {
  readonly notes: readonly { readonly level: string; readonly message: string }[];
  readonly data_range: { readonly hints?: readonly string[] | null };
}

/** The notes of a result, followed by notes that the page adds. */
export function notices({ notes, data_range }: Told, own: { warnings?: string[]; remarks?: string[] } = {}) {
  const messages = (level: string) => notes.filter((note) => note.level === level).map(({ message }) => message);
  const warnings = [...(data_range.hints ?? []), ...messages('warning'), ...(own.warnings ?? [])];
  const remarks = [...messages('info'), ...(own.remarks ?? [])];
  return html`${warnings.map((text) => html`<p class="notice warning">${text}</p>`)}
    ${remarks.map((text) => html`<p class="notice">${text}</p>`)}`;
}
