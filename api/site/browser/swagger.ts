/** Swagger UI, which the service serves beside its own files: loaded by the page that shows it. */
import { ApiError } from './api.ts';
import { answersJson, type Described, pythonCall, type SentCall, typescriptCall } from './call-samples.ts';

const FILES = '/docs/assets/';

/** Defined by the script of Swagger UI. */
declare const SwaggerUIBundle: (options: object) => void;

interface Operations {
  readonly size: number;
  filter(isKept: (operation: { get(key: 'path'): string; get(key: 'operation'): OperationMap }) => boolean): Operations;
}

interface OperationMap {
  toJS(): { readonly operationId: string; readonly summary: string };
}

/** The operations of a tag, as Swagger UI keeps them. */
interface Group {
  get(key: 'operations'): Operations;
  update(key: 'operations', change: (all: Operations) => Operations): Group;
}

interface Groups {
  map(change: (group: Group, tag: string) => Group): Groups;
  filter(isKept: (group: Group) => boolean): Groups;
}

/** The filter matches the tag, path, name, and summary of an operation; tags without a match disappear. */
function filterOperations(tags: Groups, phrase: string): Groups {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  return tags
    .map((group, tag) =>
      group.update('operations', (all) =>
        all.filter((one) => {
          const { operationId, summary } = one.get('operation').toJS();
          const text = [tag, one.get('path'), operationId, summary].join(' ').toLowerCase();
          return words.every((word) => text.includes(word));
        }),
      ),
    )
    .filter((group) => group.get('operations').size > 0);
}

/** A call that was sent, as Swagger UI keeps it. */
interface Sent {
  get(key: 'method' | 'url'): string;
  get(key: 'headers'): { toJS(): Record<string, string> } | undefined;
  get(key: 'body'): string | undefined;
}

/** The programs beside the one for curl, which Swagger UI writes. */
function programs(description: Described): object {
  const read = (sent: Sent): SentCall => {
    const [method, url, body] = [sent.get('method'), sent.get('url'), sent.get('body')];
    return {
      method,
      url,
      headers: sent.get('headers')?.toJS() ?? {},
      body: body ? JSON.parse(body) : undefined,
      isJson: answersJson(description, method, url),
    };
  };
  return {
    requestSnippetGenerator_python: (sent: Sent) => pythonCall(read(sent)),
    requestSnippetGenerator_typescript: (sent: Sent) => typescriptCall(read(sent)),
  };
}

const LANGUAGES = {
  curl_bash: { title: 'curl', syntax: 'bash' },
  python: { title: 'Python', syntax: 'python' },
  typescript: { title: 'TypeScript', syntax: 'javascript' },
};

/** Resolves when the file is there; rejects with a passing error when it cannot be had. */
function load(element: HTMLScriptElement | HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener('load', () => resolve());
    element.addEventListener('error', () => {
      element.remove();
      reject(new ApiError(0));
    });
    document.head.append(element);
  });
}

let loaded: Promise<void> | undefined;

/** Loads Swagger UI once. */
export function loadSwagger(): Promise<void> {
  loaded ??= Promise.all([
    load(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${FILES}swagger-ui.css` })),
    load(Object.assign(document.createElement('script'), { src: `${FILES}swagger-ui-bundle.js` })),
  ]).then(
    () => {},
    (error) => {
      loaded = undefined;
      throw error;
    },
  );
  return loaded;
}

/**
 * Shows an OpenAPI description in an element. Calls go to the address of the page, which may differ from the public one. A
 * credential is forgotten with the page, so that nothing is stored that scripts can read.
 */
export function showDescription(domNode: Element, description: Described): void {
  withoutMain(domNode);
  SwaggerUIBundle({
    spec: { ...description, servers: [{ url: location.origin }] },
    domNode,
    plugins: [() => ({ fn: { opsFilter: filterOperations } }), () => ({ fn: programs(description) })],
    requestSnippetsEnabled: true,
    requestSnippets: { generators: LANGUAGES, languages: Object.keys(LANGUAGES) },
    syntaxHighlight: { theme: 'obsidian' },
    filter: true,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayOperationId: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}

/** Swagger UI marks its list as the main part of a page, which ours has already. */
function withoutMain(domNode: Element): void {
  const observer = new MutationObserver(() => {
    const main = domNode.querySelector('main');
    if (!main) return;
    main.setAttribute('role', 'presentation');
    observer.disconnect();
  });
  observer.observe(domNode, { childList: true, subtree: true });
}
