/** The documentation of the API: every operation, with a form that calls it. */
import '../shell.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { send } from '../api.ts';
import { loadReference, showDescription } from '../api-reference.ts';
import { SiteElement } from '../element.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { t } from '../text.ts';

@customElement('docs-page')
export class DocsPage extends SiteElement {
  @state() shown: Loaded<() => void> = LOADING;

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  override disconnectedCallback(): void {
    if (this.shown.state === 'loaded') this.shown.value();
    super.disconnectedCallback();
  }

  private readonly load = async (): Promise<void> => {
    this.shown = LOADING;
    this.shown = await outcome(this.show());
  };

  private async show(): Promise<() => void> {
    const [library, answer] = await Promise.all([loadReference(), send('GET', '/openapi.json')]);
    const description = await answer.json();
    await this.updateComplete;
    const box = this.querySelector('.operations');
    return box ? showDescription(library, box, description) : () => {};
  }

  override render() {
    const { shown } = this;
    return html`<h1>${t('page.docs')}</h1>
      <p class="lead">${t('docs.lead')}</p>
      <p class="row">
        <a href="/openapi.json">${t('home.programs.openapi')}</a><a href="/clients">${t('page.clients')}</a>
      </p>
      ${shown.state === 'loading' ? loading() : nothing}
      ${shown.state === 'failed' ? failure(shown.error, this.load) : nothing}
      <div class="operations"></div>`;
  }
}
