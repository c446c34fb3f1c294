/** A page that is a text: the server has written it. */
import { html, render } from 'lit';
import { customElement } from 'lit/decorators.js';
import '../elements/copy-button.ts';
import '../shell.ts';
import { t } from '../text.ts';

/** Headings from which on they are listed beside the text. */
const LISTED_FROM = 3;

/** Makes long code and wide tables scrollable by keyboard, and lists the headings beside the text. */
@customElement('text-page')
export class TextPage extends HTMLElement {
  connectedCallback(): void {
    for (const box of this.querySelectorAll<HTMLElement>('.prose :is(pre, table)')) box.tabIndex = 0;
    const headings = [...this.querySelectorAll('.prose:not(.wide-tables) h2')];
    headings.forEach((heading, i) => {
      heading.id ||= `part-${i + 1}`;
    });
    if (headings.length < LISTED_FROM) return;
    const list = document.createElement('nav');
    list.className = 'contents';
    list.ariaLabel = t('text.contents');
    render(
      headings.map(({ id, textContent }) => html`<a href=${`#${id}`}>${textContent}</a>`),
      list,
    );
    this.append(list);
  }
}
