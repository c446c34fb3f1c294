/** One account in full: its owner, its recent activity, and what an administrator may change. */
import './day-bars.ts';
import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { fieldsOf, html, nothing, SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { Attempt, Load } from '../load.ts';
import { get, patch, remove } from '../session.ts';
import { number, textOr, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { User, UserDetail } from '../types.ts';
import { lastUse } from './account-keys.ts';
import { ask } from './ask.ts';
import { actionColumn, type Column, rowButton } from './data-table.ts';

export const PLANS = ['free', 'pro', 'enterprise'] as const satisfies readonly User['plan'][];
export const STATUSES = ['active', 'disabled', 'banned'] as const satisfies readonly User['status'][];

const USER = '/api/admin/users/{id}';
type Login = UserDetail['login_events'][number];
type Call = UserDetail['access_records'][number];
type Key = UserDetail['api_keys'][number];
const KEY = `${USER}/api-keys/{keyId}`;

@customElement('admin-user')
export class AdminUserView extends SiteElement {
  @property() userId!: string;
  private readonly user = new Load(this, () => get<UserDetail>(path(USER, { id: this.userId })), {
    of: () => this.userId,
  });
  private readonly saving = new Attempt(this);
  private readonly revoking = new Attempt(this);

  private readonly save = async (event: SubmitEvent, before: UserDetail) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const until = String(given.get('until'));
    const status = String(given.get('status'));
    const question = {
      title: t('users.block'),
      text: t('users.block.text', { email: before.email }),
      action: t('users.block'),
    };
    if (before.status === 'active' && status !== 'active' && !(await ask(question))) return;
    const body = {
      status: status === before.status ? undefined : status,
      plan: String(given.get('plan')),
      plan_expires_at: until === (before.plan_expires_at ?? '').slice(0, 10) ? undefined : until || null,
      is_admin: given.has('is_admin') === before.is_admin ? undefined : given.has('is_admin'),
    };
    if (await this.saving.make(() => patch(path(USER, { id: this.userId }), body))) await this.user.reload();
  };

  private readonly revoke = async ({ id, name }: Key, { email }: UserDetail) => {
    const title = t('users.key.revoke.title');
    const text = t('users.key.revoke.text', { name, email });
    if (!(await ask({ title, text, action: t('users.key.revoke') }))) return;
    await this.revoking.make(() => remove(path(KEY, { id: this.userId, keyId: id })));
    await this.user.reload();
  };

  override render() {
    return this.user.render((user) => this.content(user));
  }

  private content(user: UserDetail) {
    return html`${pageHead(user.email)}
      ${facts(user)}
      <section><h2>${t('users.change')}</h2>${this.form(user)}</section>
      <section>
        <h2>${t('account.keys')}</h2>
        <data-table .columns=${keyColumns((key) => this.revoke(key, user))} .rows=${user.api_keys} .caption=${t('keys.list')} .empty=${html`<p class="muted">${t('users.keys.none')}</p>`}></data-table>
        ${this.revoking.failure()}
      </section>
      <section>
        <h2>${t('usage.calls')}</h2>
        <day-bars .days=${user.calls_trend} .label=${t('usage.calls')}></day-bars>
        <data-table .columns=${callColumns()} .rows=${user.access_records} .caption=${t('users.latest_calls')}></data-table>
      </section>
      <section>
        <h2>${t('users.logins')}</h2>
        <data-table .columns=${loginColumns()} .rows=${user.login_events} .caption=${t('users.logins')}></data-table>
      </section>
      <p class="controls"><a href=${`/admin/audit?target_type=user&target_id=${user.id}`}>${t('users.audit')}</a></p>`;
  }

  private form(user: UserDetail) {
    return html`<form @submit=${(event: SubmitEvent) => this.save(event, user)}>
      <div class="fields">
        <label class="field"><span>${t('account.plan')}</span><select name="plan">
          ${PLANS.map((plan) => html`<option value=${plan} ?selected=${plan === user.plan}>${t(`plan.${plan}`)}</option>`)}
        </select></label>
        <label class="field"><span>${t('users.until')}</span><input type="date" name="until" .defaultValue=${(user.plan_expires_at ?? '').slice(0, 10)} /></label>
        <label class="field"><span>${t('users.status')}</span><select name="status">
          ${STATUSES.map((one) => html`<option value=${one} ?selected=${one === user.status}>${t(`users.status.${one}`)}</option>`)}
        </select></label>
      </div>
      <p><label><input type="checkbox" name="is_admin" ?checked=${user.is_admin} /> ${t('users.admin')}</label></p>
      ${this.saving.failure()}
      <p class="row"><button>${t('word.save')}</button><span role="status" class="muted">${this.saving.isDone ? t('word.saved') : nothing}</span></p>
    </form>`;
  }
}

const placeText = (country: string | null, ip: string | null) => [country, ip].filter(Boolean).join(' · ') || '–';

function facts(user: UserDetail) {
  return html`<dl class="facts">
    <dt>${t('sign_in.name')}</dt><dd>${user.name}</dd>
    <dt>${t('sign_in.phone')}</dt><dd>${user.phone ?? '–'}</dd>
    <dt>${t('users.created')}</dt><dd>${utcTime(user.created_at)} · ${placeText(user.register_country_name, user.register_ip)}</dd>
    <dt>${t('users.last_login')}</dt><dd>${utcTime(user.last_login_at)} · ${placeText(user.last_login_country_name, user.last_login_ip)}</dd>
    <dt>${t('account.keys')}</dt><dd>${number(user.api_key_count)}</dd>
    <dt>${t('plan_view.saved')}</dt><dd>${number(user.backtest_count)}</dd>
    <dt>${t('users.calls')}</dt><dd>${number(user.calls_30d)}</dd>
  </dl>`;
}

function keyColumns(revoke: (key: Key) => void): Column<Key>[] {
  return [
    { key: 'name', title: t('word.name'), cell: ({ name }) => name },
    { key: 'prefix', title: t('keys.prefix'), cell: ({ prefix }) => html`<code>${prefix}…</code>` },
    {
      key: 'status',
      title: t('users.status'),
      cell: (key) => t(`users.status.${key.enabled ? 'active' : 'disabled'}`),
    },
    { key: 'created', title: t('keys.created'), cell: ({ created_at }) => utcTime(created_at) },
    { key: 'used', title: t('keys.used'), cell: ({ last_used_at }) => lastUse(last_used_at) },
    actionColumn(t('keys.action'), (key) =>
      rowButton(t('users.key.revoke'), t('users.key.revoke.one', { name: key.name }), () => revoke(key)),
    ),
  ];
}

function loginColumns(): Column<Login>[] {
  return [
    { key: 'at', title: t('audit.at'), cell: ({ at }) => utcTime(at) },
    { key: 'kind', title: t('users.kind'), cell: ({ kind }) => textOr(`users.kind.${kind}`, kind) },
    { key: 'from', title: t('users.from'), cell: ({ ip, country_name: country }) => placeText(country, ip) },
  ];
}

function callColumns(): Column<Call>[] {
  return [
    { key: 'at', title: t('audit.at'), cell: ({ at }) => utcTime(at) },
    { key: 'path', title: t('usage.endpoint'), cell: (call) => html`<code>${call.method} ${call.path}</code>` },
    {
      key: 'status',
      title: t('users.status'),
      isNumber: true,
      cell: ({ status }) => String(status),
      tone: ({ status }) => (status >= 400 ? 'loss' : ''),
    },
    { key: 'ms', title: t('users.ms'), isNumber: true, cell: (call) => number(call.duration_ms, 1) },
  ];
}
