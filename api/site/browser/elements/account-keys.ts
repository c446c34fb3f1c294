/** The API keys of an account: made, renamed, switched off, deleted. A new one is shown once. */

import { html, nothing } from 'lit';
import type { ApiKey, KeyList, NewApiKey } from '../account-types.ts';
import { path } from '../api.ts';
import { targetOf } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { moment } from '../moments.ts';
import { get, patch, post, remove } from '../session.ts';
import { failure, inlineFailure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { t } from '../text.ts';
import { ask } from './ask.ts';
import './copy-button.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';

const KEYS = '/api/account/keys';
const ONE_KEY = '/api/account/keys/{id}';

class AccountKeys extends SiteElement {
  static override properties = {
    most: { attribute: false },
    keys: { state: true },
    issued: { state: true },
    error: { state: true },
    isBusy: { state: true },
  };
  /** As many keys as the plan allows. */
  declare most: number;
  declare keys: Loaded<KeyList>;
  /** The newest key, until the reader has put it away. */
  declare issued: NewApiKey | null;
  declare error: unknown;
  declare isBusy: boolean;

  constructor() {
    super();
    this.most = 0;
    this.keys = LOADING;
    this.issued = null;
    this.error = null;
    this.isBusy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private readonly load = async (): Promise<void> => {
    this.keys = await outcome(get<KeyList>(KEYS));
  };

  /** Does something with the keys, and shows them as they are then. */
  private async change(work: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    const result = await outcome(work());
    this.error = result.state === 'failed' ? result.error : null;
    this.isBusy = false;
    if (result.state === 'failed') return false;
    await this.load();
    this.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }

  private readonly create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = targetOf(event, HTMLFormElement);
    const name = String(new FormData(form).get('name'));
    const isDone = await this.change(async () => {
      this.issued = await post<NewApiKey>(KEYS, { name });
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
    await this.change(async () => {
      this.issued = await post<NewApiKey>(`${KEYS}/reset`, {});
    });
  };

  private readonly delete = async ({ id, name }: ApiKey) => {
    const text = t('keys.delete.text', { name });
    if (!(await ask({ title: t('keys.delete'), text, action: t('word.delete') }))) return;
    await this.change(() => remove(path(ONE_KEY, { id })));
  };

  private readonly rename = async ({ id, name }: ApiKey, event: Event) => {
    const input = targetOf(event, HTMLInputElement);
    const given = input.value.trim();
    if (given === name || given === '') input.value = name;
    else if (!(await this.change(() => patch(path(ONE_KEY, { id }), { name: given })))) input.value = name;
  };

  private readonly enable = async ({ id, enabled }: ApiKey, event: Event) => {
    const input = targetOf(event, HTMLInputElement);
    const isDone = await this.change(() => patch(path(ONE_KEY, { id }), { enabled: !enabled }));
    if (!isDone) input.checked = enabled;
  };

  override render() {
    if (this.keys.state === 'loading') return loading();
    if (this.keys.state === 'failed') return failure(this.keys.error, this.load);
    const { items } = this.keys.value;
    const empty = html`<p class="muted">${t('keys.none')}</p>`;
    return html`${this.newKey()}
      <data-table .columns=${this.columns()} .rows=${items} .caption=${t('keys.list')} .empty=${empty}></data-table>
      ${inlineFailure(this.error)}
      ${items.length < this.most ? this.form() : html`<p class="muted">${t('keys.full', { most: this.most })}</p>`}
      ${
        items.length > 0
          ? html`<p><button type="button" class="quiet" ?disabled=${this.isBusy} @click=${this.replaceAll}>${t('keys.replace')}</button></p>`
          : nothing
      }`;
  }

  private newKey() {
    if (this.issued === null) return nothing;
    const putAway = () => {
      this.issued = null;
    };
    return html`<div class="notice" role="status">
      <p><b>${t('keys.new', { name: this.issued.name })}</b> ${t('keys.once')}</p>
      <p class="row"><code class="key">${this.issued.key}</code></p>
      <p class="row"><copy-button .text=${this.issued.key}></copy-button><button type="button" @click=${putAway}>${t('keys.kept')}</button></p>
    </div>`;
  }

  private form() {
    return html`<form class="row one-line" @submit=${this.create}>
      <label class="field"><span>${t('keys.new_name')}</span><input name="name" required maxlength="100" autocomplete="off" /></label>
      <button class="primary" ?disabled=${this.isBusy}>${t('keys.create')}</button>
    </form>`;
  }

  private columns(): Column<ApiKey>[] {
    return [
      {
        key: 'name',
        title: t('keys.name'),
        value: ({ name }) => name,
        cell: (key) =>
          html`<input class="in-table" aria-label=${t('keys.rename', { name: key.name })} .value=${key.name} maxlength="100" autocomplete="off" @change=${(event: Event) => this.rename(key, event)} />`,
      },
      {
        key: 'enabled',
        title: t('keys.enabled'),
        value: ({ enabled }) => enabled,
        cell: (key) =>
          html`<input type="checkbox" role="switch" aria-label=${t('keys.enable', { name: key.name })} .checked=${key.enabled} ?disabled=${this.isBusy} @change=${(event: Event) => this.enable(key, event)} />`,
      },
      { key: 'prefix', title: t('keys.prefix'), cell: ({ prefix }) => html`<code>${prefix}…</code>` },
      {
        key: 'created',
        title: t('keys.created'),
        value: ({ created_at }) => created_at,
        cell: (key) => moment(key.created_at),
      },
      {
        key: 'used',
        title: t('keys.used'),
        value: ({ last_used_at }) => last_used_at,
        cell: ({ last_used_at }) => (last_used_at === null ? t('keys.never') : moment(last_used_at)),
      },
      {
        key: 'delete',
        title: t('keys.action'),
        isNumber: true,
        cell: (key) =>
          html`<button type="button" class="quiet" aria-label=${t('keys.delete.one', { name: key.name })} @click=${() => this.delete(key)}>${t('word.delete')}</button>`,
      },
    ];
  }
}

customElements.define('account-keys', AccountKeys);
