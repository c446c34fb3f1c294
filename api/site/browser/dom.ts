/** Elements of the page with the type that they are checked to have. */

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
export function chosenIn({ target }: Event): string {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (!isField && !(target instanceof HTMLTextAreaElement)) throw new TypeError(`${target} has no value`);
  return target.value;
}

/** The fields of the form of an event, by their names. The event may be of a field in it. */
export function fieldsOf(event: Event): FormData {
  return new FormData(checked(targetOf(event, Element).closest('form'), HTMLFormElement));
}
