/** The newest sessions of every venue basis as a calendar of cells: loaded, held, partial, or missing, with actions. */
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get, post } from '../session.ts';
import { day, dayInMonth, number, textOr, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Calendar, SyncJob, SyncJobFiles, SyncJobs } from '../types.ts';
import { Action } from './action.ts';
import { faultName, partsOf, rejectedLine } from './load-files.ts';
import './session-impact.ts';

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

type Session = Calendar['items'][number];
type Entry = Session['venue_modes'][number];
type VenueBasis = Entry['venue_mode'];
type Shown = Entry['status'] | 'loading';

interface Cell {
  readonly date: string;
  readonly entry: Entry;
  readonly status: Shown;
}

interface Row {
  readonly venueBasis: VenueBasis;
  readonly cells: readonly Cell[];
}

/** Each status has its own shape. */
const STATUSES: readonly Shown[] = ['loaded', 'partial', 'held', 'missing', 'loading', 'empty'];

@customElement('ops-session-grid')
export class SessionGrid extends SiteElement {
  @property({ attribute: false }) sessions!: readonly Session[];
  @property({ attribute: false }) loads!: readonly SyncJob[];
  /** `consolidated 2026-05-29` */
  @state() chosen = '';
  private readonly action = new Action(this);

  override render() {
    const rows = this.rows();
    if (rows.length === 0) return html`<p class="muted">${t('ops.sessions.none')}</p>`;
    const open = rows.flatMap(({ cells }) => cells).find((cell) => keyOf(cell) === this.chosen);
    const [{ cells }] = rows;
    return html`<p class="ops-legend small muted" aria-hidden="true">
        ${STATUSES.map((status) => html`<span><i class="ops-mark ${status}"></i>${t(`ops.session.${status}`)}</span>`)}
      </p>
      <div class="ops-calendar">
        <div class="ops-dates small muted" aria-hidden="true">
          ${cells.map(({ date }, i) => html`<span>${isFirstOfMonth(cells, i) || i === cells.length - 1 ? dayInMonth(date) : nothing}</span>`)}
        </div>
        ${rows.map((row) => this.row(row))}
      </div>
      ${open ? this.detail(open) : nothing} ${this.action.feedback()}`;
  }

  private rows(): Row[] {
    const rows = new Map<VenueBasis, Cell[]>();
    for (const { date, venue_modes: entries } of this.sessions) {
      for (const entry of entries) {
        const cells = rows.get(entry.venue_mode) ?? [];
        cells.push({ date, entry, status: this.isLoading(date, entry) ? 'loading' : entry.status });
        rows.set(entry.venue_mode, cells);
      }
    }
    const isPublished = ({ cells }: Row) => cells.some(({ status }) => status !== 'unpublished');
    return [...rows].map(([venueBasis, cells]) => ({ venueBasis, cells })).filter(isPublished);
  }

  private isLoading(date: string, { status, venue_mode: venueBasis }: Entry): boolean {
    if (status !== 'missing' && status !== 'partial') return false;
    return this.loads.some(({ job_type: type, status: state, request }) => {
      const { start, end, venue_mode: only } = request;
      const isInRange = (typeof start !== 'string' || start <= date) && (typeof end !== 'string' || date <= end);
      return type === 'daily_bars' && state === 'running' && isInRange && (only === undefined || only === venueBasis);
    });
  }

  private row({ venueBasis, cells }: Row) {
    const name = textOr(`venue_basis.${venueBasis}`, venueBasis);
    const isChosenHere = cells.some((cell) => keyOf(cell) === this.chosen);
    const reachable = isChosenHere ? this.chosen : keyOf(cells[cells.length - 1]);
    const loaded = cells.filter(({ status }) => status === 'loaded').length;
    return html`<div class="ops-basis" role="group" aria-label=${`${name}: ${counts(cells)}`}>
      <h3>${name}</h3>
      <div class="ops-cells" @keydown=${onKeydown}>${cells.map((cell) => this.cell(cell, reachable))}</div>
      <span class="small muted">${t('ops.sessions.loaded', { loaded, all: cells.length })}</span>
    </div>`;
  }

  private cell(cell: Cell, reachable: string) {
    const key = keyOf(cell);
    const choose = () => {
      this.action.clear();
      this.chosen = this.chosen === key ? '' : key;
    };
    return html`<button
      class="ops-cell ${cell.status}"
      tabindex=${key === reachable ? 0 : -1}
      aria-label=${`${day(cell.date)}: ${t(`ops.session.${cell.status}`)}`}
      title=${`${day(cell.date)}: ${t(`ops.session.${cell.status}`)}`}
      aria-expanded=${key === this.chosen}
      @click=${choose}
    ></button>`;
  }

  private detail(cell: Cell) {
    const { date, entry, status } = cell;
    const title = `${day(date)} · ${textOr(`venue_basis.${entry.venue_mode}`, entry.venue_mode)} · ${t(`ops.session.${status}`)}`;
    return html`<section class="notice" aria-label=${title}>
      <h3>${title}</h3>
      <dl class="facts">
        <dt>${t('data.rows')}</dt><dd>${t('ops.session.rows.of', { loaded: entry.loaded, expected: number(entry.expected) })}</dd>
        <dt>${t('ops.rejected')}</dt><dd>${number(entry.rejected)}</dd>
        <dt>${t('ops.session.loaded_at')}</dt><dd>${utcTime(entry.loaded_at)}</dd>
        ${entry.released_by === null ? nothing : html`<dt>${t('ops.session.released_by')}</dt><dd>${entry.released_by}</dd>`}
      </dl>
      ${entry.problems.map((problem) => html`<p>${problem}</p>`)}
      <ops-session-load .date=${date} .venueBasis=${entry.venue_mode}></ops-session-load>
      ${status === 'held' ? html`<ops-session-impact .date=${date}></ops-session-impact>` : nothing}
      <div class="row">${this.actions(cell)}</div>
    </section>`;
  }

  private actions(cell: Cell) {
    const { status } = cell;
    if (status === 'unpublished' || status === 'loading')
      return html`<span class="muted">${t(`ops.session.${status}.text`)}</span>`;
    const load = html`<button ?disabled=${this.action.isBusy} @click=${() => this.load(cell)}>
      ${status === 'missing' || status === 'partial' ? t('ops.session.load') : t('ops.session.load_again')}
    </button>`;
    if (status !== 'held') return load;
    return html`<button class="primary" ?disabled=${this.action.isBusy} @click=${() => this.action.release(cell.date, cell.entry.problems.join(' '))}>${t('ops.release')}</button>${load}`;
  }

  private load({ date, entry }: Cell): Promise<boolean> {
    const body = { job_type: 'daily_bars', start: date, end: date, venue_mode: entry.venue_mode };
    return this.action.run(t('ops.load.queued'), () => post('/api/admin/data/sync-jobs', body));
  }
}

const isFirstOfMonth = (cells: readonly Cell[], i: number): boolean =>
  i > 0 && i < cells.length - 4 && cells[i].date.slice(0, 7) !== cells[i - 1].date.slice(0, 7);

const keyOf = ({ date, entry }: Cell): string => `${entry.venue_mode} ${date}`;

function counts(cells: readonly Cell[]): string {
  const byStatus = Map.groupBy(cells, ({ status }) => status);
  return [...byStatus].map(([status, { length }]) => `${number(length)} ${t(`ops.session.${status}`)}`).join(' · ');
}

/** The arrow keys move from cell to cell. */
function onKeydown(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const cells = [...event.currentTarget.querySelectorAll('button')];
  const at = cells.findIndex((cell) => cell.matches(':focus'));
  cells[at + step]?.focus();
  event.preventDefault();
}
