/** A page that is a text: the server has written it. */
import { customElement } from 'lit/decorators.js';
import '../shell.ts';

/** Makes long code and wide tables scrollable by keyboard. */
@customElement('text-page')
export class TextPage extends HTMLElement {
  connectedCallback(): void {
    for (const box of this.querySelectorAll<HTMLElement>('.prose :is(pre, table)')) box.tabIndex = 0;
  }
}
