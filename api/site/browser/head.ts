/** The head of a page: its title, what it is about, and what can be done on it. */
import { html, nothing } from 'lit';
import { t } from './text.ts';

/** On phones, actions that do not fit beside the most important ones are behind one button. */
export function moreActions(actions: unknown) {
  const close = ({ currentTarget }: Event) => {
    if (currentTarget instanceof HTMLElement) currentTarget.hidePopover();
  };
  return html`<button class="more-button" popovertarget="more-actions">${t('shell.more')}</button>
    <div class="more-actions" id="more-actions" popover @click=${close}>${actions}</div>`;
}

interface HeadParts {
  /** In a few words. */
  readonly about?: unknown;
  /** Links and buttons; one button at most is filled. */
  readonly actions?: unknown;
}

export function pageHead(title: unknown, { about, actions }: HeadParts = {}) {
  return html`<header class="head">
    <h1>${title}</h1>
    ${about ? html`<p>${about}</p>` : nothing} ${actions ? html`<div class="actions">${actions}</div>` : nothing}
  </header>`;
}
