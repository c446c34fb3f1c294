/** Pages with a form: they load what the form needs, then show what their address names. */
import { html, type ReactiveControllerHost } from 'lit';
import { followAddress } from './address.ts';
import { Load } from './load.ts';
import { failure } from './states.ts';

/** Loads what a form needs. `begin` shows what the address names: at the beginning, and when the reader goes back or forward. */
export function loadForm<T>(host: ReactiveControllerHost, read: () => Promise<T>, begin: (needed: T) => unknown) {
  const needed = new Load(host, read, begin);
  followAddress(host, needed.useAgain);
  return needed;
}

export function formPage<T>(heading: string, needed: Load<T>, content: (needed: T) => unknown) {
  if (needed.result.state === 'failed') return failure(needed.result.error, needed.again);
  return html`<h1>${heading}</h1>
    ${needed.render(content)}`;
}
