/**
 * The documentation of the API: every operation, with a form that calls it. Shown by Scalar, which the page loads from the site; its
 * operations are listed in the navigation of the documentation.
 */
import '../shell.ts';
import { nothing, render } from 'lit';
import { customElement } from 'lit/decorators.js';
import { ApiError, send } from '../api.ts';
import { find, html } from '../dom.ts';
import { type Description, operationsOf } from '../operations.ts';
import { locale } from '../page-locale.ts';
import { REFERENCE_TEXTS } from '../reference-texts.ts';
import { withSession } from '../session.ts';
import { failure, loading, settle } from '../states.ts';

@customElement('reference-page')
export class ReferencePage extends HTMLElement {
  private end = () => {};

  connectedCallback(): void {
    this.load();
  }

  disconnectedCallback(): void {
    this.end();
  }

  private readonly load = async (): Promise<void> => {
    const box = find(this, '.operations', HTMLElement);
    render(loading(), box);
    const read = await settle(Promise.all([loadReference(), readDescription()]));
    if (read.state === 'failed') return void render(failure(read.error, this.load), box);
    if (read.state === 'loading') return;
    const [library, description] = read.value;
    render(nothing, box);
    this.listOperations(description);
    this.end = showDescription(library, box, description);
  };

  /** In the navigation, below the page itself. */
  private listOperations(description: Description): void {
    const groups = Map.groupBy(operationsOf(description), ({ tag }) => tag);
    const list = document.createElement('div');
    find(this, '.guides [aria-current]', HTMLElement).after(list);
    render(
      [...groups].map(
        ([
          tag,
          operations,
        ]) => html`<details ?open=${operations.some(({ address }) => address.endsWith(`#${location.hash.slice(1)}`))}>
          <summary>${tag}</summary>
          ${operations.map(
            ({ name, method, address }) =>
              html`<a href=${address}>${name} <small class=${method.toLowerCase()}>${method}</small></a>`,
          )}
        </details>`,
      ),
      list,
    );
  }
}

async function readDescription(): Promise<Description> {
  return (await send('GET', '/openapi-full.json')).json();
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
    showSidebar: false,
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
