/** Shown at unknown addresses. */
import '../shell.ts';
import { customElement } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { t } from '../text.ts';

@customElement('not-found-page')
export class NotFoundPage extends SiteElement {
  override render() {
    return html`${pageHead(t('page.not_found'))}
      <p>${t('page.not_found.description')}</p>
      <p><a href="/">${t('nav.home')}</a></p>`;
  }
}
