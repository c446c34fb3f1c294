/** The documentation of the API: every operation, with a form that calls it. */
import '../shell.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { send } from '../api.ts';
import type { Described } from '../call-samples.ts';
import { SiteElement } from '../element.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { loadSwagger, showDescription } from '../swagger.ts';
import { t } from '../text.ts';

const isDark = matchMedia('(prefers-color-scheme: dark)');

/** Swagger UI has a dark look of its own, which follows a class. */
function followLook(): void {
  const { classList, dataset } = document.documentElement;
  classList.toggle('dark-mode', dataset.theme === undefined ? isDark.matches : dataset.theme === 'dark');
}

@customElement('docs-page')
export class DocsPage extends SiteElement {
  @state() description: Loaded<Described> = LOADING;

  override connectedCallback(): void {
    super.connectedCallback();
    followLook();
    document.addEventListener('look', followLook);
    this.load();
  }

  override disconnectedCallback(): void {
    document.removeEventListener('look', followLook);
    super.disconnectedCallback();
  }

  private readonly load = async (): Promise<void> => {
    this.description = LOADING;
    const work = Promise.all([send('GET', '/openapi.json').then((answer) => answer.json()), loadSwagger()]);
    this.description = await outcome(work.then(([description]) => description));
    await this.updateComplete;
    const box = this.querySelector('.operations');
    if (box && this.description.state === 'loaded') showDescription(box, this.description.value);
  };

  override render() {
    const { description } = this;
    return html`<h1>${t('page.docs')}</h1>
      <p class="lead">${t('docs.lead')}</p>
      <p class="row">
        <a href="/openapi.json">${t('home.programs.openapi')}</a><a href="/clients">${t('page.clients')}</a>
      </p>
      ${description.state === 'loading' ? loading() : nothing}
      ${description.state === 'failed' ? failure(description.error, this.load) : nothing}
      <div class="operations" lang="en"></div>`;
  }
}
