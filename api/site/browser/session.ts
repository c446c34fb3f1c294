/**
 * The login session of the reader. The access token lives in the memory of the page; the refresh token is a cookie that no script
 * can read. Tabs that need a token at the same time share one refresh.
 */
import { type CallOptions, dataOf, send } from './api.ts';
import type { OwnColumn, OwnColumns, TokenPair } from './types.ts';

interface AccessToken {
  readonly text: string;
  /** Milliseconds of `performance.now()`. */
  readonly validUntil: number;
}

type Message =
  | { readonly kind: 'token'; readonly text: string; readonly seconds: number }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'signed-out' };

/** A token is not used in its last seconds: it might expire on the way. */
const MARGIN_MS = 20_000;
/** How long a tab waits for the token that another tab has refreshed. */
const BROADCAST_WAIT_MS = 300;
const LOCK = 'session';

let token: AccessToken | null = null;
const channel = new BroadcastChannel('session');
const changes = new EventTarget();

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'token') setToken(data.text, data.seconds);
  if (data.kind === 'signed-out') clearToken();
  if (data.kind === 'signed-in') emitChange();
});

function setToken(text: string, seconds: number): void {
  token = { text, validUntil: performance.now() + seconds * 1000 - MARGIN_MS };
  emitChange();
}

function clearToken(): void {
  token = null;
  emitChange();
}

/** The role of the account by a cookie of the server, which proves nothing. */
export function signedInAs(): 'member' | 'admin' | null {
  const hint = /(?:^|; )signed_in=(member|admin)/.exec(document.cookie)?.[1];
  return hint === 'member' || hint === 'admin' ? hint : null;
}

/** Shows the links of the account, and notifies the elements that depend on it. */
function emitChange(): void {
  const who = signedInAs();
  if (who === null) delete document.documentElement.dataset.signedIn;
  else document.documentElement.dataset.signedIn = who;
  changes.dispatchEvent(new Event('change'));
}

/** Calls `listener` when somebody has signed in or out, here or in another tab. Returns a function that unsubscribes. */
export function onSessionChange(listener: () => void): () => void {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
}

const isValid = (access: AccessToken | null): access is AccessToken =>
  access !== null && access.validUntil > performance.now();

/** An access token; null for a guest. */
async function accessToken(): Promise<string | null> {
  if (isValid(token)) return token.text;
  if (signedInAs() === null) return null;
  const own = await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => (lock ? refresh() : 'busy'));
  if (own !== 'busy') return own;
  // Another tab is refreshing: this one uses its token.
  return navigator.locks.request(LOCK, async () => {
    await waitForOtherTab();
    return isValid(token) ? token.text : refresh();
  });
}

/** Resolves when another tab has sent its token, or is not going to. */
async function waitForOtherTab(): Promise<void> {
  if (isValid(token)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onSessionChange(resolve);
  setTimeout(resolve, BROADCAST_WAIT_MS);
  await promise;
  stop();
}

/** Null: the session has ended. */
async function refresh(): Promise<string | null> {
  const response = await send('POST', '/api/auth/refresh', { body: {} });
  if (response.status === 401) {
    clearToken();
    return null;
  }
  const pair = await dataOf<TokenPair>(response);
  share(pair);
  return pair.access_token;
}

function share({ access_token: text, expires_in: seconds }: TokenPair): void {
  setToken(text, seconds);
  channel.postMessage({ kind: 'token', text, seconds } satisfies Message);
}

/** Begins the session of an account that has signed in. */
export function begin(pair: TokenPair): void {
  share(pair);
  channel.postMessage({ kind: 'signed-in' } satisfies Message);
}

/** Asks the reader to sign in; false: they have declined. */
type AskToSignIn = (reason: 'again' | 'needed') => Promise<boolean>;

let askToSignIn: AskToSignIn = async () => false;

/** Sets the dialog that asks readers to sign in. */
export function setSignInDialog(ask: AskToSignIn): void {
  askToSignIn = ask;
}

/**
 * A call as the reader, answered with its response. When their session has ended they are asked to sign in again where they
 * are, and the call is sent once more.
 */
export async function sendAsReader(method: string, address: string, options: CallOptions = {}): Promise<Response> {
  const had = signedInAs() !== null;
  const access = await accessToken();
  if (access === null && had && (await askToSignIn('again'))) return sendAsReader(method, address, options);
  const response = await send(method, address, withToken(options, access));
  if (response.status !== 401 || access === null) return response;
  // Revoked before it expired: by a ban, a deletion, or a sign-out elsewhere.
  token = null;
  const next = await accessToken();
  if (next !== null) return send(method, address, withToken(options, next));
  if (await askToSignIn('again')) return sendAsReader(method, address, options);
  return response;
}

/** `fetch` as the reader, unless the call has its own credential. */
export async function withSession(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const hasOwn = request.headers.has('Authorization') || request.headers.has('X-API-Key');
  const access = hasOwn ? null : await accessToken();
  if (access !== null) request.headers.set('Authorization', `Bearer ${access}`);
  return fetch(request);
}

function withToken(options: CallOptions, access: string | null): CallOptions {
  return access === null ? options : { ...options, headers: { ...options.headers, Authorization: `Bearer ${access}` } };
}

/** `data` of a call as the reader. Throws an `ApiError`. */
async function call<T>(method: string, address: string, options: CallOptions = {}): Promise<T> {
  return dataOf<T>(await sendAsReader(method, address, options));
}

export const get = <T>(address: string, options?: CallOptions) => call<T>('GET', address, options);
export const post = <T>(address: string, body: object, options?: CallOptions) =>
  call<T>('POST', address, { ...options, body });
export const put = <T>(address: string, body: object) => call<T>('PUT', address, { body });
export const patch = <T>(address: string, body: object) => call<T>('PATCH', address, { body });
export const remove = <T>(address: string, body?: object) => call<T>('DELETE', address, { body });

/** Ends the session, here and in other tabs. */
export async function signOut(): Promise<void> {
  await dataOf(await send('POST', '/api/auth/logout', { body: {} }));
  leave();
}

/** Forgets a session that the server has ended. */
export function leave(): void {
  clearToken();
  channel.postMessage({ kind: 'signed-out' } satisfies Message);
}

/** Opens the dialog for somebody who is not signed in; resolves with whether they are now. */
export function signIn(): Promise<boolean> {
  return askToSignIn('needed');
}

/** The columns that rules of the reader may name; none for guests. */
export async function readableColumns(): Promise<readonly OwnColumn[]> {
  return signedInAs() === null ? [] : (await get<OwnColumns>('/v1/my/columns')).items;
}
