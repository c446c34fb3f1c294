/** The load that a session is from, with what became of its lines. */
import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { number, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { SyncJob, SyncJobFiles, SyncJobs } from '../types.ts';
import { faultName, partsOf, rejectedLine } from './rejected-line.ts';

/** Loads that are looked through for the one of a session. */
const LOADS = 100;
const FILES = 50;
const SHOWN_LINES = 20;

type Files = SyncJobFiles['items'];

@customElement('ops-session-load')
export class SessionLoad extends SiteElement {
  /** YYYY-MM-DD */
  @property() date!: string;
  @property() venueBasis!: string;
  private readonly found = new Load(this, () => readLoad(this.date, this.venueBasis), {
    of: () => `${this.date} ${this.venueBasis}`,
  });

  override render() {
    return this.found.render((found) => (found === null ? nothing : this.content(found)));
  }

  private content({ load, files }: { readonly load: SyncJob; readonly files: Files }) {
    const { id, finished_at: at, rows_written, rows_rejected, rows_rejected_by_reason: reasons, error } = load;
    const counts = { rows: number(rows_written), rejected: number(rows_rejected) };
    const lines = files.flatMap((file) =>
      file.rejected_lines.filter(({ text }) => isOfDay(text, this.date)).map((line) => rejectedLine(file, line)),
    );
    const named = Object.entries(reasons).map(([reason, rows]) => `${faultName(reason)} ${number(rows)}`);
    return html`<p><b>${t('ops.session.of_load', { id: String(id) })}</b> ${utcTime(at)} · ${[t('ops.load.rows_only', counts), ...named].join(' · ')}</p>
      ${partsOf(error)
        .filter((part) => part.includes(this.date))
        .map((part) => html`<p class="cause">${part}</p>`)}
      ${lines.length === 0 ? nothing : html`<ul class="plain small">${lines.slice(0, SHOWN_LINES)}</ul>`}
      ${lines.length > SHOWN_LINES ? html`<p class="muted small">${t('ops.preview.more', { count: number(lines.length - SHOWN_LINES) })}</p>` : nothing}`;
  }
}

const isOfDay = (text: string, date: string) => text.includes(date) || text.includes(date.replaceAll('-', ''));

/** The newest load of bars whose range has the session; null: it is older than those that are looked through. */
async function readLoad(date: string, venueBasis: string) {
  const query = { job_type: 'daily_bars', size: LOADS };
  const { items } = await get<SyncJobs>('/api/admin/data/sync-jobs', { query });
  const load = items.find(({ request: { start, end, venue_mode: only } }) => {
    const isInRange = (typeof start !== 'string' || start <= date) && (typeof end !== 'string' || date <= end);
    return isInRange && (only === undefined || only === venueBasis);
  });
  if (load === undefined) return null;
  const address = path('/api/admin/data/sync-jobs/{id}/files', { id: load.id });
  const files = await get<SyncJobFiles>(address, { query: { size: FILES } });
  return { load, files: files.items };
}
