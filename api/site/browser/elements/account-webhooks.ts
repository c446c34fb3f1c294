/** The webhooks of an account: added, tested, paused, and deleted, each with its deliveries. A new secret is shown once. */
import { customElement, property, state } from 'lit/decorators.js';
import { ApiError, path } from '../api.ts';
import { html, nothing, SiteElement, targetOf } from '../dom.ts';
import { errorOf, errorsByField, errorText } from '../fields.ts';
import { Attempt, EditableList } from '../load.ts';
import { secretNotice } from '../notices.ts';
import { get, patch, post, remove, signedInAs } from '../session.ts';
import { inlineFailure, LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Deliveries, Delivery, NewWebhook, Webhook, WebhookEvent, WebhookList } from '../types.ts';
import { ask } from './ask.ts';
import { actionColumn, type Column, rowButton } from './data-table.ts';

const DELIVERIES = '/v1/my/webhooks/{id}/deliveries';
const RETRY = '/v1/my/webhooks/{id}/deliveries/{delivery}/retry';
const REPLAY = '/v1/my/webhooks/{id}/replay';
const LISTED = 20;
const POLL_MS = 1_000;
/** A delivery that takes longer is waiting for its next attempt. */
const MAX_POLLS = 30;

type Answer = Delivery['answers'][number];

@customElement('webhook-deliveries')
export class WebhookDeliveries extends SiteElement {
  @property({ attribute: false }) webhook!: number;
  @property() caption!: string;
  @state() list: Loaded<readonly Delivery[]> = LOADING;
  private readonly retrying = new Attempt(this);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly observer = new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting && this.list.state === 'loading') this.load();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  private readonly load = async (): Promise<void> => {
    const query = { size: LISTED };
    const work = get<Deliveries>(path(DELIVERIES, { id: this.webhook }), { query });
    this.list = await settle(work.then(({ items }) => items));
  };

  /** Reads the list until its newest delivery has an answer. */
  async follow(polls = MAX_POLLS): Promise<void> {
    clearTimeout(this.timer);
    await this.load();
    if (polls === 0 || this.list.state !== 'loaded' || !this.isConnected) return;
    const isAwaited = this.list.value.some(({ status, attempts }) => status === 'pending' && attempts === 0);
    if (isAwaited) this.timer = setTimeout(() => this.follow(polls - 1), POLL_MS);
  }

  private readonly replay = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(targetOf(event, HTMLFormElement));
    const body = { from: given.get('from'), to: given.get('to'), failed_only: given.get('failed') !== null };
    await this.retrying.make(() => post(path(REPLAY, { id: this.webhook }), body));
    await this.follow();
  };

  private readonly retry = async (delivery: string) => {
    await this.retrying.make(() => post(path(RETRY, { id: this.webhook, delivery }), {}));
    await this.follow();
  };

  override render() {
    return whenLoaded(this.list, this.load, (list) => this.table(list));
  }

  private table(list: readonly Delivery[]) {
    const empty = html`<p class="muted">${t('webhooks.deliveries.none')}</p>`;
    return html`${this.retrying.failure()}
      <data-table class="short" .columns=${this.columns()} .rows=${list} .caption=${this.caption} .empty=${empty}></data-table>
      <form class="row" aria-label=${t('webhooks.replay')} @submit=${this.replay}>
        <label class="field"><span>${t('webhooks.replay.from')}</span><input name="from" type="date" required /></label>
        <label class="field"><span>${t('webhooks.replay.to')}</span><input name="to" type="date" required /></label>
        <label class="field check"><input name="failed" type="checkbox" checked /> ${t('webhooks.replay.failed')}</label>
        <button type="submit">${t('webhooks.replay')}</button>
      </form>`;
  }

  private columns(): Column<Delivery>[] {
    return [
      { key: 'created', title: t('keys.created'), cell: ({ created_at }) => utcTime(created_at) },
      { key: 'event', title: t('webhooks.event'), cell: ({ event }) => html`<code>${event}</code>` },
      {
        key: 'status',
        title: t('users.status'),
        cell: statusText,
        tone: (one) => (one.status === 'failed' ? 'loss' : ''),
      },
      { key: 'attempts', title: t('webhooks.attempts'), isNumber: true, cell: ({ attempts }) => number(attempts) },
      { key: 'answer', title: t('webhooks.answer'), cell: answersView },
      actionColumn(t('keys.action'), (delivery) => this.retryButton(delivery)),
    ];
  }

  private retryButton({ id, status, event, created_at }: Delivery) {
    if (status === 'pending') return nothing;
    const label = t('webhooks.retry.one', { event, at: utcTime(created_at) });
    return rowButton(t('webhooks.retry'), label, () => this.retry(id));
  }
}

function statusText({ status, attempts, next_attempt_at }: Delivery): string {
  if (status === 'delivered') return t('webhooks.delivered');
  if (status === 'failed') return t('webhooks.failed');
  return attempts === 0 ? t('webhooks.sending') : t('webhooks.waiting', { at: utcTime(next_attempt_at) });
}

const answerText = ({ status, error, ms }: Answer) =>
  t('webhooks.answered', { answer: status === null ? (error ?? '–') : String(status), ms });

/** The newest answer, and on demand all others and what was sent. */
function answersView({ answers, request_headers: headers, request_body: body }: Delivery) {
  const last = answers.at(-1);
  if (!last) return '–';
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return html`<details>
    <summary>${answerText(last)}</summary>
    ${answers.length > 1 ? html`<ol>${answers.map((answer) => html`<li>${utcTime(answer.at)} · ${answerText(answer)}</li>`)}</ol>` : nothing}
    ${body === null ? nothing : html`<p class="muted small">${t('webhooks.sent')}</p><pre tabindex="0">${[...lines, '', body].join('\n')}</pre>`}
  </details>`;
}

const WEBHOOKS = '/v1/my/webhooks';
const ONE_WEBHOOK = '/v1/my/webhooks/{id}';
/** As many as the API allows an account. */
const MAX_WEBHOOKS = 5;
const EXAMPLE_ADDRESS = 'https://example.com/hooks';

/** Every event of the API, with its name for readers. */
const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'backtest.finished': t('webhooks.event.backtest'),
  'portfolio.finished': t('webhooks.event.portfolio'),
  'sweep.finished': t('webhooks.event.sweep'),
  'signals.ready': t('webhooks.event.signals'),
  'forward.sealed': t('webhooks.event.sealed'),
  'forward.appended': t('webhooks.event.appended'),
  'data.loaded': t('webhooks.event.data'),
  'run.revised': t('webhooks.event.revised'),
  'export.done': t('webhooks.event.export'),
};
/** Events that the API sends to administrators only. */
const ADMIN_EVENTS: readonly string[] = ['export.done' satisfies WebhookEvent];

@customElement('account-webhooks')
export class AccountWebhooks extends SiteElement {
  /** The newest webhook with its secret, until the reader dismisses it. */
  @state() issued: NewWebhook | null = null;
  /** The webhook of the last change; null: a new one. */
  @state() changed: number | null = null;
  private readonly list = new EditableList(this, () => get<WebhookList>(WEBHOOKS));

  private changeOne(id: number | null, work: () => Promise<unknown>): Promise<boolean> {
    this.changed = id;
    return this.list.change(work);
  }

  private readonly create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = targetOf(event, HTMLFormElement);
    const given = new FormData(form);
    const body = { url: String(given.get('url')), events: given.getAll('event') };
    const isDone = await this.changeOne(null, async () => {
      this.issued = await post<NewWebhook>(WEBHOOKS, body);
    });
    if (isDone) form.reset();
  };

  private readonly enable = async ({ id, enabled }: Webhook, event: Event) => {
    const input = targetOf(event, HTMLInputElement);
    const isDone = await this.changeOne(id, () => patch(path(ONE_WEBHOOK, { id }), { enabled: !enabled }));
    if (!isDone) input.checked = enabled;
  };

  private readonly choose = async ({ id, events }: Webhook, event: Event) => {
    const input = targetOf(event, HTMLInputElement);
    const { value, checked } = input;
    const chosen = checked ? [...events, value] : events.filter((one) => one !== value);
    const isDone = await this.changeOne(id, () => patch(path(ONE_WEBHOOK, { id }), { events: chosen }));
    if (!isDone) input.checked = !checked;
  };

  private readonly delete = async ({ id, url }: Webhook) => {
    const text = t('webhooks.delete.text', { url });
    if (!(await ask({ title: t('webhooks.delete'), text, action: t('word.delete') }))) return;
    await this.changeOne(id, () => remove(path(ONE_WEBHOOK, { id })));
  };

  /** Sends a test, and shows its delivery. */
  private readonly test = async ({ id }: Webhook, event: Event) => {
    const details = targetOf(event, HTMLElement).closest('li')?.querySelector('details');
    const isSent = await this.changeOne(id, () => post(path(DELIVERIES, { id }), {}));
    if (!isSent || !details) return;
    details.open = true;
    const list = details.querySelector('webhook-deliveries');
    if (list instanceof WebhookDeliveries) await list.follow();
  };

  override render() {
    return this.list.render((list) => this.content(list));
  }

  private content({ items }: WebhookList) {
    const full = html`<p class="muted">${t('webhooks.full', { most: MAX_WEBHOOKS })}</p>`;
    return html`${this.secret()}
      ${items.length === 0 ? html`<p class="muted">${t('webhooks.none')}</p>` : this.webhooks(items)}
      ${items.length < MAX_WEBHOOKS ? this.form() : full}`;
  }

  private secret() {
    if (this.issued === null) return nothing;
    return secretNotice({
      title: t('webhooks.new', { url: this.issued.url }),
      text: t('webhooks.once'),
      secret: this.issued.secret,
      onDismiss: () => {
        this.issued = null;
      },
    });
  }

  private webhooks(items: readonly Webhook[]) {
    return html`<ul class="webhooks" aria-label=${t('account.webhooks')}>${items.map((webhook) => this.webhook(webhook))}</ul>`;
  }

  private webhook(webhook: Webhook) {
    const { id, url, enabled, events } = webhook;
    return html`<li>
      <div class="row spread">
        <code class="webhook-url">${url}</code>
        <div class="row">
          <label class="field check">
            <input type="checkbox" role="switch" aria-label=${t('webhooks.enable', { url })} .checked=${enabled} ?disabled=${this.list.isBusy} @change=${(event: Event) => this.enable(webhook, event)} />
            ${t('keys.enabled')}
          </label>
          <button type="button" aria-label=${t('webhooks.test.one', { url })} ?disabled=${this.list.isBusy || !enabled} @click=${(event: Event) => this.test(webhook, event)}>${t('webhooks.test')}</button>
          <button type="button" class="quiet" aria-label=${t('webhooks.delete.one', { url })} @click=${() => this.delete(webhook)}>${t('word.delete')}</button>
        </div>
      </div>
      ${enabled ? nothing : html`<p class="notice warning">${t('webhooks.off')}</p>`}
      ${eventFields(t('webhooks.events.of', { url }), events, (event) => this.choose(webhook, event), this.list.isBusy)}
      ${this.changed === id ? inlineFailure(this.list.error) : nothing}
      <details>
        <summary>${t('webhooks.deliveries')}</summary>
        <webhook-deliveries .webhook=${id} caption=${t('webhooks.deliveries.of', { url })}></webhook-deliveries>
      </details>
    </li>`;
  }

  private form() {
    const error = this.changed === null ? this.list.error : null;
    const fieldErrors = error instanceof ApiError ? errorsByField(error.problems) : {};
    const isShownByField = Object.keys(fieldErrors).length > 0;
    const urlError = errorOf(fieldErrors, 'url');
    return html`<form class="webhook-form" @submit=${this.create}>
      <label class="field">
        <span>${t('webhooks.url')}</span>
        <input name="url" type="url" required maxlength="2000" autocomplete="off" placeholder=${EXAMPLE_ADDRESS} aria-invalid=${urlError ? 'true' : nothing} />
        ${errorText(urlError)}
      </label>
      ${eventFields(t('webhooks.events'), ['backtest.finished', 'signals.ready'], null, false)}
      ${errorText(errorOf(fieldErrors, 'events'))}
      ${isShownByField ? nothing : inlineFailure(error)}
      <p><button class="primary" ?disabled=${this.list.isBusy}>${t('webhooks.create')}</button></p>
    </form>`;
  }
}

/** A checkbox for each event that the reader may choose. Without `choose` they are fields of a form. */
function eventFields(
  label: string,
  chosen: readonly string[],
  choose: ((event: Event) => void) | null,
  isDisabled: boolean,
) {
  const isAdmin = signedInAs() === 'admin';
  const available = Object.entries(EVENTS).filter(([event]) => isAdmin || !ADMIN_EVENTS.includes(event));
  const box = (event: string) =>
    choose === null
      ? html`<input type="checkbox" name="event" value=${event} ?checked=${chosen.includes(event)} />`
      : html`<input type="checkbox" value=${event} .checked=${chosen.includes(event)} ?disabled=${isDisabled} @change=${choose} />`;
  return html`<fieldset class="field events">
    <legend>${label}</legend>
    <div class="row">
      ${available.map(([event, name]) => html`<label class="field check">${box(event)} <span>${name} <code>${event}</code></span></label>`)}
    </div>
  </fieldset>`;
}
