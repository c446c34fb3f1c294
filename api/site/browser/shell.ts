/** The shell of every page: menus, theme, keys, the command palette, and the count of the visit. */
import './common.ts';
import { send } from './api.ts';
import { applyAppearance } from './appearance.ts';
import { isTyping, targetOf } from './dom.ts';
import './invalid-fields.ts';
import { setSignInDialog } from './session.ts';

// The dialog is loaded when it is needed.
setSignInDialog(async (reason) => (await import('./elements/sign-in.ts')).openSignIn(reason));

for (const offer of document.querySelectorAll<HTMLElement>('.gain-offer')) {
  offer.hidden = false;
  offer.addEventListener('click', (event) => {
    const { gainChoice } = targetOf(event, HTMLElement).dataset;
    if (gainChoice === undefined) return;
    applyAppearance('gain', gainChoice);
    offer.remove();
  });
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

/** The menu says which theme is chosen, here or in the command palette. */
document.addEventListener('appearance', () => {
  const { theme = 'system' } = document.documentElement.dataset;
  const radio = document.querySelector<HTMLInputElement>(`.menu input[name="theme"][value="${theme}"]`);
  const name = document.querySelector('.menu .theme-name');
  if (!radio || !name) return;
  radio.checked = true;
  name.textContent = radio.labels?.[0]?.textContent.trim() ?? '';
});

// Each is loaded when it is first opened.
const DIALOGS: Readonly<Record<string, () => Promise<void>>> = {
  palette: async () => (await import('./elements/command-palette.ts')).openPalette(),
  keys: async () => (await import('./elements/keys-dialog.ts')).openKeys(),
};
const open = (name: string) => {
  document.querySelector<HTMLElement>('#places:popover-open')?.hidePopover();
  void DIALOGS[name]?.();
};

for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  button.addEventListener('click', () => open(button.dataset.opens ?? ''));
}
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (document.querySelector('dialog[open]')) return;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
    event.preventDefault();
    open('palette');
  } else if (!(ctrlKey || metaKey || altKey || isTyping(event)) && (key === '/' || key === '?')) {
    event.preventDefault();
    open(key === '/' ? 'palette' : 'keys');
  } else if (!(ctrlKey || metaKey || altKey || isTyping(event)) && key === 's') foldSetup();
});

/** Opens or folds the set-up of a page where it is a drawer. */
function foldSetup(): void {
  const setup = document.querySelector<HTMLElement>('#inspector');
  if (setup && getComputedStyle(setup).position === 'fixed') setup.togglePopover();
}

// The server has stored the language, and a link that is shared should open in the language of its reader.
const address = new URL(location.href);
if (address.searchParams.has('lang')) {
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
}

// In a low window the list of pages shows where the reader is.
document.querySelector('.places [aria-current]')?.scrollIntoView({ block: 'nearest' });

send('POST', '/api/visits', { body: { path: location.pathname, referrer: document.referrer.slice(0, 1000) } }).catch(
  () => {},
);
