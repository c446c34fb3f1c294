/** The processes of the service, and the jobs that each worker runs. */
import { customElement, property } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Instances } from '../types.ts';
import { duration } from './duration.ts';

@customElement('ops-instance-list')
export class InstanceList extends SiteElement {
  /** When the page was read: the list is read with it. */
  @property() at = '';
  private readonly list = new Load(this, () => get<Instances>('/api/admin/instances'), { of: () => this.at });

  override render() {
    return this.list.render(
      ({ items }) => html`<ul class="plain ops-loads">${items.map((one) => this.item(one))}</ul>`,
    );
  }

  private item({ kind, name, since, jobs }: Instances['items'][number]) {
    const running = jobs.map(
      ({ queue, since: from }) =>
        `${queue} (${duration(Math.max(0, (Date.parse(this.at) - Date.parse(from)) / 1000))})`,
    );
    return html`<li class="row spread">
      <div><b>${t(`ops.instance.${kind}`)}</b> ${name ?? t('ops.instance.here')} <span class="muted small">${t('ops.instance.since', { since: utcTime(since) })}</span></div>
      <span>${running.length > 0 ? running.join(', ') : kind === 'worker' ? html`<span class="muted">${t('ops.instance.idle')}</span>` : ''}</span>
    </li>`;
  }
}
