/** The link to something that its reader has shared, with a button that revokes it. */
import { html, nothing } from 'lit';
import './elements/copy-button.ts';
import { t } from './text.ts';
import type { Sharing } from './types.ts';

export function shareNotice(sharing: Sharing | null, revoke: () => unknown) {
  if (!sharing?.url) return nothing;
  const { url } = sharing;
  return html`<div class="notice row" role="status">
    <span>${t('run.shared_at')}</span> <a href=${url}>${url}</a> <copy-button .text=${url}></copy-button>
    <button type="button" @click=${revoke}>${t('run.unshare')}</button>
  </div>`;
}
