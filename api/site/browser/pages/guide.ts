/** A guide of the documentation: the server has written it, and its program becomes one that can be chosen, copied, and run. */
import { render } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { GuideCall } from '../../guides/calls.ts';
import { find, html } from '../dom.ts';
import '../elements/copy-button.ts';
import '../elements/guide-program.ts';
import type { Sample } from '../samples.ts';
import '../shell.ts';
import '../tool.ts';

@customElement('guide-page')
export class GuidePage extends HTMLElement {
  connectedCallback(): void {
    for (const box of this.querySelectorAll<HTMLElement>('.prose :is(pre, table)')) box.tabIndex = 0;
    const aside = find(this, '.program', HTMLElement);
    const samples = [...aside.querySelectorAll('pre')].map(
      ({ dataset, textContent }): Sample => [dataset.language ?? '', textContent],
    );
    const call: GuideCall = JSON.parse(aside.dataset.call ?? '');
    aside.replaceChildren();
    render(html`<guide-program .samples=${samples} .call=${call}></guide-program>`, aside);
  }
}
