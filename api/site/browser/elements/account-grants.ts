/** The grants that an account has given to assistants, and their end. */
import { customElement } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, SiteElement } from '../dom.ts';
import { EditableList } from '../load.ts';
import { get, remove } from '../session.ts';
import { inlineFailure } from '../states.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { AssistantGrant, GrantList } from '../types.ts';
import { lastUse, scopesText } from './account-keys.ts';
import { ask } from './ask.ts';
import { actionColumn, type Column, rowButton, textColumn } from './data-table.ts';

@customElement('account-grants')
export class AccountGrants extends SiteElement {
  private readonly grants = new EditableList(this, () => get<GrantList>('/api/account/grants'));

  private readonly revoke = async ({ id, name }: AssistantGrant) => {
    const text = t('grants.revoke.text', { name });
    if (!(await ask({ title: t('grants.revoke'), text, action: t('grants.revoke') }))) return;
    await this.grants.change(() => remove(path('/api/account/grants/{id}', { id })));
  };

  override render() {
    return this.grants.render(({ items }) => {
      const empty = html`<p class="muted">${t('grants.none')}</p>`;
      return html`<data-table .columns=${this.columns()} .rows=${items} .caption=${t('grants.title')} .empty=${empty}></data-table>
        ${inlineFailure(this.grants.error)}`;
    });
  }

  private columns(): Column<AssistantGrant>[] {
    return [
      textColumn('name', t('word.name'), ({ name }) => name, String),
      textColumn('scopes', t('keys.scopes'), ({ scopes }) => scopesText(scopes), String),
      textColumn('trials', t('keys.trials'), ({ trials, trial_limit }) => `${trials} / ${trial_limit}`, String),
      textColumn('created', t('keys.created'), ({ created_at }) => created_at, utcTime),
      textColumn('used', t('keys.used'), ({ last_used_at }) => last_used_at, lastUse),
      actionColumn(t('keys.action'), (grant) =>
        rowButton(t('grants.revoke'), t('grants.revoke.one', { name: grant.name }), () => this.revoke(grant)),
      ),
    ];
  }
}
