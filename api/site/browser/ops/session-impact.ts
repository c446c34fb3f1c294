/** The impact of the loads that have revised a held session, for the decision to release it. */
import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { impactWords } from '../run/revised.ts';
import { get } from '../session.ts';
import { number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Impact, SessionImpact } from '../types.ts';

const SHOWN = 10;

@customElement('ops-session-impact')
export class SessionImpactList extends SiteElement {
  /** YYYY-MM-DD */
  @property() date!: string;
  private readonly found = new Load(
    this,
    () =>
      get<SessionImpact>(path('/api/admin/data/calendar/{date}/impact', { date: this.date }), {
        query: { size: SHOWN },
      }),
    { of: () => this.date },
  );

  override render() {
    return this.found.render((found) => (found.loads.length === 0 ? nothing : content(found)));
  }
}

function content({ loads, total, items }: SessionImpact) {
  const isWaiting = loads.some(({ status }) => status === 'waiting' || status === 'computing');
  return html`<p><b>${t('ops.session.impact', { count: total })}</b>
      ${isWaiting ? t('ops.session.impact.waiting') : nothing}</p>
    ${items.length === 0 ? nothing : html`<ul class="plain small">${items.map(line)}</ul>`}
    ${total > items.length ? html`<p class="muted small">${t('ops.preview.more', { count: number(total - items.length) })}</p>` : nothing}`;
}

const line = ({ kind, id, name, before, after }: Impact) =>
  html`<li>${name ?? `${kind} ${id}`}: ${impactWords(before, after)}</li>`;
