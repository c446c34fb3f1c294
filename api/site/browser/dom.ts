/** The DOM: the base class of the site's elements, with what they render by, and elements whose type is checked. */
import { LitElement } from 'lit';

export { html, nothing, svg } from 'lit';

/** Elements render into the page itself, so that one style sheet and one outline serve all. */
export class SiteElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    // The head of a page, which the server has written until there is more to show.
    this.querySelector(':scope > [data-until-filled]')?.remove();
    return this;
  }
}

type Kind<T extends Element> = abstract new (...parameters: never[]) => T;

function checked<T extends Element>(found: EventTarget | null, kind: Kind<T>): T {
  if (found instanceof kind) return found;
  throw new TypeError(`expected ${kind.name}, found ${found}`);
}

/** The first match within an element. Throws where there is none of the kind. */
export function find<T extends Element>(root: ParentNode, selector: string, kind: Kind<T>): T {
  return checked(root.querySelector(selector), kind);
}

/** The target of an event. Throws if it is of another kind. */
export function targetOf<T extends Element>({ target }: Event, kind: Kind<T>): T {
  return checked(target, kind);
}

/** The value of the field that an event comes from. */
export function fieldValue({ target }: Event): string {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (!isField && !(target instanceof HTMLTextAreaElement)) throw new TypeError(`${target} has no value`);
  return target.value;
}

/** The fields of a form by name, from an event of the form or of a field in it. */
export function fieldsOf(event: Event): FormData {
  return new FormData(checked(targetOf(event, Element).closest('form'), HTMLFormElement));
}

/** The text in a field of a form, without the spaces around it; empty if there is no such field. */
export const textIn = (form: FormData, name: string) => String(form.get(name) ?? '').trim();

/** Whether a key belongs to a field; those of the API reference are in an editor of its own. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Leads to the element that a link names by `#`, without another step of the history: the page would read its address again. */
export function leadToPlace(event: Event): void {
  const link = checked(event.currentTarget, HTMLAnchorElement);
  const place = document.getElementById(link.hash.slice(1));
  if (place === null) return;
  event.preventDefault();
  place.tabIndex = -1;
  place.scrollIntoView({ block: 'center' });
  place.focus({ preventScroll: true });
}
