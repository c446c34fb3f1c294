/** The newest deliveries of a webhook, with the answers to their attempts. They are loaded when they come into view. */

import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Attempt } from '../load.ts';
import { get, post } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Deliveries, Delivery } from '../types.ts';
import { actionColumn, type Column, rowButton } from './data-table.ts';

export const DELIVERIES = '/v1/my/webhooks/{id}/deliveries';
const RETRY = '/v1/my/webhooks/{id}/deliveries/{delivery}/retry';
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
      <data-table class="short" .columns=${this.columns()} .rows=${list} .caption=${this.caption} .empty=${empty}></data-table>`;
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
      { key: 'answer', title: t('webhooks.answer'), cell: ({ answers }) => answersView(answers) },
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

/** The newest answer, and all others on demand. */
function answersView(answers: readonly Answer[]) {
  const last = answers.at(-1);
  if (!last) return '–';
  if (answers.length === 1) return answerText(last);
  return html`<details>
    <summary>${answerText(last)}</summary>
    <ol>${answers.map((answer) => html`<li>${utcTime(answer.at)} · ${answerText(answer)}</li>`)}</ol>
  </details>`;
}
