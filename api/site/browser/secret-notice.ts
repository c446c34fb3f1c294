/** A secret that the API tells only once: to be copied, then put away. */
import { html } from 'lit';
import './elements/copy-button.ts';
import { t } from './text.ts';

export interface Secret {
  readonly title: string;
  /** The place that the secret is for. */
  readonly text: string;
  readonly secret: string;
  readonly onPutAway: () => void;
}

export function secretNotice({ title, text, secret, onPutAway }: Secret) {
  return html`<div class="notice" role="status">
    <p><b>${title}</b> ${text}</p>
    <p class="row"><code class="key">${secret}</code></p>
    <p class="row"><copy-button .text=${secret}></copy-button><button type="button" @click=${onPutAway}>${t('keys.kept')}</button></p>
  </div>`;
}
