/** The same call in several languages, one shown at a time, each to be copied. */

import { customElement, property, state } from 'lit/decorators.js';
import { choice } from '../controls.ts';
import { html, SiteElement } from '../dom.ts';
import type { Sample } from '../samples.ts';
import { t } from '../tool-text.ts';
import './copy-button.ts';

@customElement('code-samples')
export class CodeSamples extends SiteElement {
  @property({ attribute: false }) samples: readonly Sample[] = [];
  /** The name of the choice, which holds on every page with samples of the same topic. */
  @property() topic = 'language';
  @state() chosen = '';

  private get stored(): string {
    return `program-${this.topic}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.chosen = localStorage.getItem(this.stored) ?? 'curl';
  }

  override render() {
    const sample = this.samples.find(([name]) => name === this.chosen) ?? this.samples[0];
    if (!sample) return html``;
    return html`<div class="row spread">
        ${choice({
          label: t('run.programs'),
          name: `${this.topic}-sample`,
          values: this.samples.map(([name]) => [name, name] as const),
          chosen: sample[0],
          onChoose: (name) => {
            this.chosen = name;
            localStorage.setItem(this.stored, name);
          },
        })}
        <copy-button .text=${sample[1]}></copy-button>
      </div>
      <pre tabindex="0" aria-label=${sample[0]}><code>${sample[1]}</code></pre>`;
  }
}
