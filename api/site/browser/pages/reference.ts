/** The documentation of the API: every operation, with a form that calls it. Shown by Scalar, which the page loads from the site. */
import '../shell.ts';
import { customElement, state } from 'lit/decorators.js';
import { ApiError, send } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { locale } from '../page-locale.ts';
import { REFERENCE_TEXTS } from '../reference-texts.ts';
import { withSession } from '../session.ts';
import { failure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { t } from '../text.ts';

@customElement('reference-page')
export class ReferencePage extends SiteElement {
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
    this.shown = await settle(this.show());
  };

  private async show(): Promise<() => void> {
    const [library, response] = await Promise.all([loadReference(), send('GET', '/openapi.json')]);
    const description = await response.json();
    await this.updateComplete;
    const box = this.querySelector('.operations');
    return box ? showDescription(library, box, description) : () => {};
  }

  override render() {
    const { shown } = this;
    return html`${pageHead(t('page.reference'))}
      <p class="lead">${t('docs.lead')}</p>
      <p class="row">
        <a href="/openapi.json">${t('home.programs.openapi')}</a><a href="/clients">${t('page.clients')}</a>
      </p>
      ${shown.state === 'loading' ? loading() : nothing}
      ${shown.state === 'failed' ? failure(shown.error, this.load) : nothing}
      <div class="operations"></div>`;
  }
}

/** Address of the library, which the build fills in. */
declare const API_REFERENCE: string;

interface Reference {
  updateConfiguration(configuration: object): void;
  destroy(): void;
}

interface Library {
  createApiReference(box: Element, configuration: object): Reference;
}

/** Rejects with a transient error if the library cannot be loaded. */
async function loadReference(): Promise<Library> {
  try {
    return await import(API_REFERENCE);
  } catch {
    throw new ApiError(0);
  }
}

const isDark = matchMedia('(prefers-color-scheme: dark)');

function colorScheme(): 'dark' | 'light' {
  const { theme } = document.documentElement.dataset;
  return (theme ?? (isDark.matches ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light';
}

/**
 * Shows an OpenAPI description in an element; returns a function that removes it. Calls go to the address of the page, which may
 * differ from the public one, as the reader unless they enter a credential, which is forgotten with the page. Nothing is requested
 * from other hosts.
 */
function showDescription({ createApiReference }: Library, box: Element, description: object): () => void {
  const configuration = () => ({
    content: { ...description, servers: [{ url: location.origin }] },
    customFetch: withSession,
    forceDarkModeState: colorScheme(),
    localization: { locale, translations: locale === 'zh-TW' ? REFERENCE_TEXTS : {} },
    theme: 'none',
    showOperationId: true,
    orderSchemaPropertiesBy: 'preserve',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    documentDownloadType: 'none',
    hideClientButton: true,
    hideDarkModeToggle: true,
    hideModels: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    persistAuth: false,
    telemetry: false,
    withDefaultFonts: false,
  });
  const reference = createApiReference(box, configuration());
  const followAppearance = () => reference.updateConfiguration(configuration());
  document.addEventListener('appearance', followAppearance);
  return () => {
    document.removeEventListener('appearance', followAppearance);
    reference.destroy();
  };
}
