/** Shown at unknown addresses. */
import '../shell.ts';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { SiteElement } from '../dom.ts';
import { t } from '../text.ts';

@customElement('not-found-page')
export class NotFoundPage extends SiteElement {
  override render() {
    return html`<h1>${t('page.not_found')}</h1>
      <p>${t('page.not_found.description')}</p>
      <p><a href="/">${t('nav.home')}</a></p>`;
  }
}
