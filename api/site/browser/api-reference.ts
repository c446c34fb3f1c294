/** Scalar's API reference, which is built for browsers already: the page that shows it loads it from the site. */
import { ApiError } from './api.ts';
import { REFERENCE_TEXTS } from './reference-texts.ts';
import { withSession } from './session.ts';
import { locale } from './text.ts';

/** Address of the library; the build of the site writes it. */
declare const API_REFERENCE: string;

interface Reference {
  updateConfiguration(configuration: object): void;
  destroy(): void;
}

interface Library {
  createApiReference(box: Element, configuration: object): Reference;
}

/** The library; rejects with a passing error when it cannot be had. */
export async function loadReference(): Promise<Library> {
  try {
    return await import(API_REFERENCE);
  } catch {
    throw new ApiError(0);
  }
}

const isDark = matchMedia('(prefers-color-scheme: dark)');

function lookNow(): 'dark' | 'light' {
  const { theme } = document.documentElement.dataset;
  return (theme ?? (isDark.matches ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light';
}

/**
 * Shows an OpenAPI description in an element, and returns what ends that. Calls go to the address of the page, which may differ
 * from the public one, as the reader unless they give a credential, which is forgotten with the page. Nothing is asked of
 * another host.
 */
export function showDescription({ createApiReference }: Library, box: Element, description: object): () => void {
  const configuration = () => ({
    content: { ...description, servers: [{ url: location.origin }] },
    customFetch: withSession,
    forceDarkModeState: lookNow(),
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
  document.addEventListener('look', followAppearance);
  return () => {
    document.removeEventListener('look', followAppearance);
    reference.destroy();
  };
}
