/** Groups of fields that say what they are now while they are folded. */
import { html, type ReactiveController } from 'lit';
import type { SiteElement } from '../dom.ts';

interface Fold {
  readonly title: string;
  /** The present values of its fields in a few words. */
  readonly now: string;
  readonly fields: unknown;
  /** Whether it is open to show an error. */
  readonly isOpen?: boolean;
}

export function fold({ title, now, fields, isOpen = false }: Fold) {
  return html`<details class="fold" ?open=${isOpen}>
    <summary><span>${title}</span><span class="fold-now">${now}</span></summary>
    <div class="fold-fields">${fields}</div>
  </details>`;
}

export type Values = Readonly<Record<string, string>>;

/** The present values of the form of an element, by the names of its fields. */
export class PresentValues implements ReactiveController {
  values: Values = {};
  /** Those before the first change by the reader; null: there is none. */
  first: Values | null = null;
  private readonly host: SiteElement;

  constructor(host: SiteElement) {
    this.host = host;
    host.addController(this);
  }

  /** Fields come and go with the updates of the element. */
  hostUpdated(): void {
    this.readAll();
  }

  /** Some fields draw themselves after it. */
  private readAll(): void {
    this.read();
    requestAnimationFrame(this.read);
  }

  /** The reader has changed a field. */
  readonly edited = (): void => {
    this.first ??= this.values;
    this.readAll();
  };

  readonly read = (): void => {
    const form = this.host.querySelector('form');
    if (form === null) return;
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    if (JSON.stringify(values) === JSON.stringify(this.values)) return;
    this.values = values;
    this.host.requestUpdate();
  };
}
