/** The field of a form that was changed since the result in sight: marked with the value that the result is for. */
import { html, render } from 'lit';
import type { SiteElement } from '../dom.ts';
import { t } from '../tool-text.ts';
import type { PresentValues, Values } from './fold.ts';

export interface ChangedField {
  readonly label: string;
  /** Its value in the result. */
  readonly before: string;
}

/** That what is in sight is of other fields; null: it is not. */
export const staleWords = (changed: ChangedField | null) =>
  changed && t('form.results_of', { field: changed.label, value: changed.before });

/** Fires `differ` with the first changed field, or null. */
export class ChangedFields {
  private readonly host: SiteElement;
  private readonly present: PresentValues;
  /** The values that were sent last, and those of the result in sight; null: those before the first change. */
  private last: Values | null = null;
  private ofResult: Values | null = null;
  private readonly note = document.createElement('p');
  private told = '';

  constructor(host: SiteElement, present: PresentValues) {
    this.host = host;
    this.present = present;
    this.note.className = 'changed-note small muted';
  }

  sent(): void {
    this.present.edited();
    this.last = this.present.values;
  }

  shown(): void {
    this.ofResult = this.last ?? this.ofResult;
  }

  /** Puts the note below the field. `action`: what stands in it besides; null: there is no result. */
  mark(action: unknown): void {
    const field = action === null ? null : this.first();
    if (field === null) this.note.remove();
    else {
      render(html`${t('form.for_value', { value: field.changed.before })} ${action}`, this.note);
      if (this.note.previousElementSibling !== field.box) field.box?.after(this.note);
    }
    this.tell(field?.changed ?? null);
  }

  /** The first changed field; null: there is none. */
  private first() {
    const { values, first } = this.present;
    const before = this.ofResult ?? first ?? values;
    const name = [...Object.keys(before), ...Object.keys(values)].find((one) => before[one] !== values[one]);
    const field = this.host.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`);
    if (name === undefined || field === null) return null;
    const changed = { label: labelIn(field), before: wordsFor(field, before[name] ?? '') };
    return { changed, box: field.closest('.field, .axis') };
  }

  private tell(detail: ChangedField | null): void {
    const told = JSON.stringify(detail);
    if (told === this.told) return;
    this.told = told;
    this.host.dispatchEvent(new CustomEvent('differ', { detail }));
  }
}

/** As its reader sees it; that of a group for one of its choices. */
function labelIn(field: HTMLElement): string {
  const box = field.closest('fieldset.field, .field, .axis');
  return box?.querySelector('legend, span')?.textContent?.trim() ?? '';
}

function wordsFor(field: HTMLInputElement | HTMLSelectElement, value: string): string {
  if (field instanceof HTMLSelectElement) return [...field.options].find((one) => one.value === value)?.text ?? value;
  if (field.type !== 'radio') return value || t('form.none');
  const choices = field.form?.querySelectorAll<HTMLInputElement>(`[name="${field.name}"]`) ?? [];
  return [...choices].find((one) => one.value === value)?.labels?.[0]?.textContent?.trim() ?? value;
}
