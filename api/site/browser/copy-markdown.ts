/** The button of a text that copies it as Markdown. */
import { t } from './text.ts';

const CONFIRMED_MS = 2_000;

export function enableMarkdownButton(page: HTMLElement): void {
  const button = page.querySelector<HTMLButtonElement>('[data-copies="markdown"]');
  const label = button?.querySelector('span');
  button?.addEventListener('click', async () => {
    const { pathname, search } = location;
    await navigator.clipboard.writeText(await (await fetch(`${pathname}.md${search}`)).text());
    if (!label) return;
    const { textContent: named } = label;
    label.textContent = t('word.copied');
    setTimeout(() => {
      label.textContent = named;
    }, CONFIRMED_MS);
  });
}
