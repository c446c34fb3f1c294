/** The program of a guide in three languages, and what its call answers the reader. */
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { GuideCall } from '../../guides/calls.ts';
import { choice } from '../controls.ts';
import { SiteElement } from '../dom.ts';
import type { Sample } from '../samples.ts';
import { sendAsReader } from '../session.ts';
import { failure, type Loaded, settle } from '../states.ts';
import { t } from '../text.ts';
import './code-samples.ts';

interface Answer {
  readonly status: string;
  readonly isOk: boolean;
  readonly ms: number;
  readonly bytes: number;
  readonly lines: readonly string[];
  readonly headers: string;
}

/** Lines of an answer that are shown. */
const SHOWN_LINES = 400;

async function ask({ method, path, body }: GuideCall): Promise<Answer> {
  const begun = performance.now();
  const response = await sendAsReader(method, path, { body });
  const text = await response.text();
  return {
    status: `${response.status} ${response.statusText}`,
    isOk: response.ok,
    ms: Math.round(performance.now() - begun),
    bytes: new Blob([text]).size,
    lines: JSON.stringify(JSON.parse(text), null, 2).split('\n'),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
  };
}

@customElement('guide-program')
export class GuideProgram extends SiteElement {
  @property({ attribute: false }) samples: readonly Sample[] = [];
  @property({ attribute: false }) call!: GuideCall;
  @state() answer: Loaded<Answer> | null = null;
  @state() shown: 'answer' | 'headers' = 'answer';

  private readonly run = async (): Promise<void> => {
    this.answer = { state: 'loading' };
    this.answer = await settle(ask(this.call));
  };

  override render() {
    return html`<code-samples .samples=${this.samples}></code-samples>
      <p>
        <button type="button" class="primary" ?disabled=${this.answer?.state === 'loading'} @click=${this.run}>
          ${t('docs.run')}
        </button>
        <code class="muted">${this.call.method} ${this.call.path.replace(/\?.*/, '')}</code>
      </p>
      <div aria-live="polite">${this.renderAnswer()}</div>`;
  }

  private renderAnswer() {
    const { answer } = this;
    if (answer === null || answer.state === 'loading') return nothing;
    if (answer.state === 'failed') return failure(answer.error, this.run);
    const { status, isOk, ms, bytes, lines, headers } = answer.value;
    const cut = lines.length > SHOWN_LINES;
    return html`<div class="row spread">
        ${choice({
          label: t('docs.answer'),
          name: 'answer-part',
          values: [
            ['answer', t('docs.answer')],
            ['headers', t('docs.headers')],
          ],
          chosen: this.shown,
          onChoose: (shown) => {
            this.shown = shown;
          },
        })}
        <span class="small"
          ><b class=${isOk ? 'gain' : 'loss'}>${status}</b>
          <span class="muted">${t('docs.answer_size', { ms, bytes })}</span></span
        >
      </div>
      <pre tabindex="0" aria-label=${t('docs.answer')}>${this.shown === 'headers' ? headers : lines.slice(0, SHOWN_LINES).join('\n')}</pre>
      ${cut && this.shown === 'answer' ? html`<p class="muted small">${t('docs.answer_cut', { lines: SHOWN_LINES })}</p>` : nothing}`;
  }
}
