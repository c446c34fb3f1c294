/** The keys of the site, in a dialog. */
import '../common.ts';
import { html, render } from 'lit';
import { t } from '../text.ts';

const KEYS = [
  ['Ctrl K', 'shell.search_or_jump'],
  ['/', 'shell.search_or_jump'],
  ['?', 'keys.keys'],
  ['S', 'keys.setup'],
  ['↑ ↓', 'keys.rows'],
  ['Enter', 'keys.open'],
  ['← → + −', 'keys.chart'],
  ['L', 'keys.log'],
  ['F', 'keys.whole_screen'],
  ['Esc', 'keys.close'],
] as const;

export function openKeys(): void {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'keys-title');
  dialog.addEventListener('close', () => dialog.remove());
  render(
    html`<h2 id="keys-title">${t('shell.keys')}</h2>
      <dl class="facts">${KEYS.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${t(text)}</dd>`)}</dl>
      <form method="dialog"><button autofocus>${t('keys.close')}</button></form>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}
