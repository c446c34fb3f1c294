/** A page that is a text: the server has written it. */
import { customElement } from 'lit/decorators.js';
import '../shell.ts';

/** Long code and wide tables move inside their boxes, with the keyboard too. */
@customElement('text-page')
export class TextPage extends HTMLElement {
  connectedCallback(): void {
    for (const box of this.querySelectorAll<HTMLElement>('.prose :is(pre, table)')) box.tabIndex = 0;
  }
}
