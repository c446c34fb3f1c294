/** Theme and colors that the reader chooses: applied at once, and kept in cookies so that the server renders later pages with them. */

const YEAR_S = 365 * 86_400;

function remember(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers that are served
  document.cookie = `${name}=${value}; path=/; max-age=${value === '' ? 0 : YEAR_S}; samesite=lax`;
}

export function applyAppearance(name: string, value: string): void {
  const { dataset } = document.documentElement;
  if (name === 'theme') {
    remember('theme', value === 'system' ? '' : value);
    if (value === 'system') delete dataset.theme;
    else dataset.theme = value;
  } else if (name === 'gain') {
    remember('gain', value);
    if (value === 'red') dataset.gain = 'red';
    else delete dataset.gain;
  }
  document.dispatchEvent(new Event('appearance'));
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  document.dispatchEvent(new Event('appearance')),
);

/** The theme that the reader chose; undefined: as the system. */
let chosen: string | undefined;

// Ink on paper is dark, whatever the theme. Charts, which are pictures, take the colors of the page by the event.
addEventListener('beforeprint', () => {
  const { dataset } = document.documentElement;
  chosen = dataset.theme;
  dataset.theme = 'light';
  document.dispatchEvent(new Event('appearance'));
});
addEventListener('afterprint', () => {
  const { dataset } = document.documentElement;
  if (chosen === undefined) delete dataset.theme;
  else dataset.theme = chosen;
  document.dispatchEvent(new Event('appearance'));
});
