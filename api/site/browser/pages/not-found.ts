/** Shown at unknown addresses. */
import '../shell.ts';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { SiteElement } from '../dom.ts';
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
