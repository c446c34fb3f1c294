/** Keeps the state of a page in its address, so that filters are shared by link, and back and forward work. */
import type { ReactiveControllerHost } from 'lit';

/** The value of a name in the query of the address. */
export function fromAddress(name: string): string | null {
  return new URLSearchParams(location.search).get(name);
}

/** One of the allowed values, else the first. */
export function choiceFromAddress<T extends string>(name: string, allowed: readonly T[]): T {
  const given = fromAddress(name);
  return allowed.find((value) => value === given) ?? allowed[0];
}

/** The entry of a list in the address that has none, unlike a list that the address does not name. */
export const NO_ENTRY = 'none';

/** The entries of a list in the address. */
export function listFromAddress(name: string, sign: string, otherwise = ''): string[] {
  const text = fromAddress(name) ?? otherwise;
  const entries = text === NO_ENTRY ? [] : text.split(sign);
  return entries.map((one) => one.trim()).filter((one) => one !== '');
}

/** Writes values into the address; empty ones are removed from it. Back undoes it if it is a step. */
export function toAddress(values: Readonly<Record<string, string | null>>, isStep = true): void {
  const here = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === '') here.searchParams.delete(name);
    else here.searchParams.set(name, value);
  }
  if (here.href === location.href) return;
  if (isStep) history.pushState(null, '', here);
  else history.replaceState(history.state, '', here);
}

/** Calls `changed` when the reader goes back or forward while the element is in the page. */
export function followAddress(element: ReactiveControllerHost, changed: () => void): void {
  element.addController({
    hostConnected: () => addEventListener('popstate', changed),
    hostDisconnected: () => removeEventListener('popstate', changed),
  });
}

/** The part of the path after its first folder: `AAPL.US` of `/s/AAPL.US`. */
export function pathParameter(): string {
  return decodeURIComponent(location.pathname.split('/').slice(2).join('/'));
}
