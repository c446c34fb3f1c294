/** A few values side by side of which one is chosen. */
import { html } from 'lit';

export interface Choice<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly values: readonly (readonly [T, string])[];
  readonly chosen: T | null;
  readonly onChoose: (value: T) => void;
}

export function choice<T extends string>({ label, name, values, chosen, onChoose }: Choice<T>) {
  return html`<div class="choice" role="radiogroup" aria-label=${label}>
    ${values.map(
      ([value, text]) => html`<label
        ><input type="radio" name=${name} .checked=${value === chosen} @change=${() => onChoose(value)} />${text}</label
      >`,
    )}
  </div>`;
}
