/** The API keys of an account: created, renamed, disabled, deleted. A new one is shown once. */

import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement, targetOf } from '../dom.ts';
import { EditableList } from '../load.ts';
import { secretNotice } from '../notices.ts';
import { get, patch, post, remove } from '../session.ts';
import { inlineFailure } from '../states.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { ApiKey, KeyList, NewApiKey } from '../types.ts';
import { ask } from './ask.ts';
import { actionColumn, type Column, rowButton, textColumn } from './data-table.ts';

const KEYS = '/api/account/keys';
const ONE_KEY = '/api/account/keys/{id}';

/** When a key was used last. */
export const lastUse = (at: string | null) => (at === null ? t('keys.never') : utcTime(at));

/** When a key ends: at a day, unless a program has set the time. */
const endText = (at: string | null) => lastUse(at).replace(' 00:00', '');

/** Sets of scopes that a new key may have, the widest first. */
const GRANTS = ['read research account', 'read research', 'read'];

const SCOPE_TEXTS = {
  read: () => t('keys.scope.read'),
  research: () => t('keys.scope.research'),
  account: () => t('keys.scope.account'),
} satisfies Record<ApiKey['scopes'][number], () => string>;

const isScope = (word: string): word is keyof typeof SCOPE_TEXTS => word in SCOPE_TEXTS;
export const scopesText = (scopes: readonly string[]) =>
  scopes
    .filter(isScope)
    .map((scope) => SCOPE_TEXTS[scope]())
    .join(t('word.separator'));

@customElement('account-keys')
export class AccountKeys extends SiteElement {
  /** The number of keys that the plan allows. */
  @property({ attribute: false }) maxKeys = 0;
  /** The newest key, until the reader dismisses it. */
  @state() issued: NewApiKey | null = null;
  private readonly keys = new EditableList(this, () => get<KeyList>(KEYS));

  private readonly create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = targetOf(event, HTMLFormElement);
    const given = new FormData(form);
    const [name, grant, end] = ['name', 'grant', 'end'].map((field) => String(given.get(field)));
    const body = { name, scopes: grant.split(' '), expires_at: end === '' ? null : `${end}T00:00:00Z` };
    const isDone = await this.keys.change(async () => {
      this.issued = await post<NewApiKey>(KEYS, body);
    });
    if (isDone) form.reset();
  };

  private readonly replaceAll = async () => {
    const isWanted = await ask({
      title: t('keys.replace'),
      text: t('keys.replace.text'),
      action: t('keys.replace.action'),
    });
    if (!isWanted) return;
    await this.keys.change(async () => {
      this.issued = await post<NewApiKey>(`${KEYS}/reset`, {});
    });
  };

  private readonly delete = async ({ id, name }: ApiKey) => {
    const text = t('keys.delete.text', { name });
    if (!(await ask({ title: t('keys.delete'), text, action: t('word.delete') }))) return;
    await this.keys.change(() => remove(path(ONE_KEY, { id })));
  };

  private readonly rename = async ({ id, name }: ApiKey, event: Event) => {
    const input = targetOf(event, HTMLInputElement);
    const newName = input.value.trim();
    if (newName === name || newName === '') input.value = name;
    else if (!(await this.keys.change(() => patch(path(ONE_KEY, { id }), { name: newName })))) input.value = name;
  };

  private readonly enable = async ({ id, enabled }: ApiKey, event: Event) => {
    const input = targetOf(event, HTMLInputElement);
    const isDone = await this.keys.change(() => patch(path(ONE_KEY, { id }), { enabled: !enabled }));
    if (!isDone) input.checked = enabled;
  };

  override render() {
    return this.keys.render((list) => this.content(list));
  }

  private content({ items }: KeyList) {
    const empty = html`<p class="muted">${t('keys.none')}</p>`;
    return html`${this.newKey()}
      <data-table .columns=${this.columns()} .rows=${items} .caption=${t('keys.list')} .empty=${empty}></data-table>
      ${inlineFailure(this.keys.error)}
      ${items.length < this.maxKeys ? this.form() : html`<p class="muted">${t('keys.full', { most: this.maxKeys })}</p>`}
      ${
        items.length > 0
          ? html`<p><button type="button" class="quiet" ?disabled=${this.keys.isBusy} @click=${this.replaceAll}>${t('keys.replace')}</button></p>`
          : nothing
      }`;
  }

  private newKey() {
    if (this.issued === null) return nothing;
    return secretNotice({
      title: t('keys.new', { name: this.issued.name }),
      text: t('keys.once'),
      secret: this.issued.key,
      onDismiss: () => {
        this.issued = null;
      },
    });
  }

  private form() {
    return html`<form class="row one-line" @submit=${this.create}>
      <label class="field"><span>${t('keys.new_name')}</span><input name="name" required maxlength="100" autocomplete="off" /></label>
      <label class="field"><span>${t('keys.scopes')}</span>
        <select name="grant">${GRANTS.map((grant) => html`<option value=${grant}>${scopesText(grant.split(' '))}</option>`)}</select></label>
      <label class="field"><span>${t('keys.ends')}</span><input name="end" type="date" /></label>
      <button class="primary" ?disabled=${this.keys.isBusy}>${t('keys.create')}</button>
    </form>`;
  }

  private columns(): Column<ApiKey>[] {
    return [
      {
        key: 'name',
        title: t('word.name'),
        value: ({ name }) => name,
        cell: (key) =>
          html`<input class="in-table" aria-label=${t('keys.rename', { name: key.name })} .value=${key.name} maxlength="100" autocomplete="off" @change=${(event: Event) => this.rename(key, event)} />`,
      },
      {
        key: 'enabled',
        title: t('keys.enabled'),
        value: ({ enabled }) => enabled,
        cell: (key) =>
          html`<input type="checkbox" role="switch" aria-label=${t('keys.enable', { name: key.name })} .checked=${key.enabled} ?disabled=${this.keys.isBusy} @change=${(event: Event) => this.enable(key, event)} />`,
      },
      { key: 'prefix', title: t('keys.prefix'), isMinor: true, cell: ({ prefix }) => html`<code>${prefix}…</code>` },
      textColumn('scopes', t('keys.scopes'), ({ scopes }) => scopesText(scopes), String),
      textColumn('ends', t('keys.ends'), ({ expires_at }) => expires_at, endText),
      textColumn('trials', t('keys.trials'), ({ trials, trial_limit }) => `${trials} / ${trial_limit}`, String),
      {
        ...textColumn<ApiKey>('created', t('keys.created'), ({ created_at }) => created_at.slice(0, 10), String),
        isMinor: true,
      },
      textColumn('used', t('keys.used'), ({ last_used_at }) => last_used_at, lastUse),
      actionColumn(t('keys.action'), (key) =>
        rowButton(t('word.delete'), t('keys.delete.one', { name: key.name }), () => this.delete(key)),
      ),
    ];
  }
}
