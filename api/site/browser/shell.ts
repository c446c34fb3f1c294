/** The shell of every page: menus, theme, the search at the top, and the count of the visit. */
import './elements/symbol-search.ts';
import { send } from './api.ts';
import { targetOf } from './dom.ts';
import { setSignInDialog } from './session.ts';

// The dialog is loaded when it is needed.
setSignInDialog(async (reason) => (await import('./elements/sign-in.ts')).openSignIn(reason));

const YEAR_S = 365 * 86_400;

function remember(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers that are served
  document.cookie = `${name}=${value}; path=/; max-age=${value === '' ? 0 : YEAR_S}; samesite=lax`;
}

/** Applies a choice, and stores it in a cookie so that the server renders later pages with it. */
function applyAppearance(name: string, value: string): void {
  const { dataset } = document.documentElement;
  if (name === 'theme') {
    remember('theme', value === 'system' ? '' : value);
    if (value === 'system') delete dataset.theme;
    else dataset.theme = value;
  } else if (name === 'gain') {
    remember('gain', value === 'red' ? 'red' : '');
    if (value === 'red') dataset.gain = 'red';
    else delete dataset.gain;
  }
  document.dispatchEvent(new Event('appearance'));
}

for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu')) {
  menu.addEventListener('change', (event) => {
    const { name, value } = targetOf(event, HTMLInputElement);
    applyAppearance(name, value);
  });
  menu.addEventListener('toggle', () => {
    if (!menu.open) return;
    for (const other of document.querySelectorAll<HTMLDetailsElement>('details.menu')) {
      if (other !== menu) other.open = false;
    }
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}
document.addEventListener('pointerdown', ({ target }) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  }
});

// A link to another language keeps the query of the page.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-language]')) {
  link.addEventListener('click', () => {
    const here = new URL(location.href);
    here.searchParams.set('lang', link.dataset.language ?? '');
    link.href = here.href;
  });
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  document.dispatchEvent(new Event('appearance')),
);

// The server has stored the language, and a link that is shared should open in the language of its reader.
const address = new URL(location.href);
if (address.searchParams.has('lang')) {
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
}

send('POST', '/api/visits', { body: { path: location.pathname, referrer: document.referrer.slice(0, 1000) } }).catch(
  () => {},
);
