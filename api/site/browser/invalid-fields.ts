/** Refusals of fields by browsers, said below the field in the language of the page, in place of the browser's own bubble. */
import { t } from './text.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;

function problemOf(field: Field): string {
  const { validity } = field;
  const { min = '', max = '' } = field instanceof HTMLInputElement ? field : {};
  if (validity.valueMissing) return t('field.missing');
  if (validity.rangeUnderflow) return t('field.least', { least: min });
  if (validity.rangeOverflow) return t('field.most', { most: max });
  if (validity.stepMismatch) return t('field.whole');
  if (validity.badInput) return t('field.number');
  return t(field.type === 'email' ? 'field.email' : field.type === 'url' ? 'field.url' : 'field.form');
}

function refuse(event: Event): void {
  const field = event.target;
  if (!isField(field)) return;
  event.preventDefault();
  field.closest('details')?.setAttribute('open', '');
  const first = [...(field.form?.elements ?? [])].find((one) => isField(one) && one.matches(':invalid'));
  if (first === field) field.focus();
  if (field.nextElementSibling?.matches('.field-error.of-browser')) return;
  const text = document.createElement('span');
  text.className = 'field-error of-browser';
  text.role = 'alert';
  text.textContent = problemOf(field);
  field.after(text);
  const clear = () => {
    text.remove();
    field.removeEventListener('input', clear);
  };
  field.addEventListener('input', clear);
}

// Bubbles do not: it is caught on its way down.
document.addEventListener('invalid', refuse, true);
