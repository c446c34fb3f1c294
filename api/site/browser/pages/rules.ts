/** The language of rules: the server has written the text. */
import '../shell.ts';

/** Long code and wide tables move inside their boxes, with the keyboard too. */
class RulesPage extends HTMLElement {
  connectedCallback(): void {
    for (const box of this.querySelectorAll<HTMLElement>('.prose :is(pre, table)')) box.tabIndex = 0;
  }
}

customElements.define('rules-page', RulesPage);
