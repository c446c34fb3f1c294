/** The same call in several languages, one shown at a time, each to be copied. */
import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { choice } from '../controls.ts';
import { SiteElement } from '../dom.ts';
import type { Sample } from '../samples.ts';
import { t } from '../text.ts';
import './copy-button.ts';

/** The language that the reader chose last, on whichever page. */
const LANGUAGE = 'program-language';

@customElement('code-samples')
export class CodeSamples extends SiteElement {
  @property({ attribute: false }) samples: readonly Sample[] = [];
  @state() chosen = localStorage.getItem(LANGUAGE) ?? 'curl';

  override render() {
    const sample = this.samples.find(([name]) => name === this.chosen) ?? this.samples[0];
    if (!sample) return html``;
    return html`<div class="row spread">
        ${choice({
          label: t('run.programs'),
          name: 'sample',
          values: this.samples.map(([name]) => [name, name] as const),
          chosen: sample[0],
          onChoose: (name) => {
            this.chosen = name;
            localStorage.setItem(LANGUAGE, name);
          },
        })}
        <copy-button .text=${sample[1]}></copy-button>
      </div>
      <pre tabindex="0" aria-label=${sample[0]}><code>${sample[1]}</code></pre>`;
  }
}
