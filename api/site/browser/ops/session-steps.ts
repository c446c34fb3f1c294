/** Sessions and their steps as a table: what is done, and when; a cell opens what ran, why not, and the step once more. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import { post } from '../session.ts';
import { day, dayInMonth, dollars, number, textOr, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { SessionStepRun, SessionSteps } from '../types.ts';
import { Action } from './action.ts';
import { duration } from './duration.ts';
import './job-list.ts';
import './session-grid.ts';
import './session-impact.ts';

type Step = SessionSteps['steps'][number];
type StepName = Step['step'];

const LOAD = 'load_';
const venueBasisOf = (step: StepName): string => step.slice(LOAD.length);
const isLoad = (step: StepName): boolean => step.startsWith(LOAD);

function nameOf(step: StepName): string {
  return isLoad(step) ? textOr(`venue_basis.${venueBasisOf(step)}`, step) : textOr(`ops.step.${step}`, step);
}

const seconds = ({ started_at: from, ended_at: to }: Step): number | null =>
  from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000;

@customElement('ops-session-steps')
export class SessionStepTable extends SiteElement {
  @property({ attribute: false }) sessions!: readonly SessionSteps[];
  /** `2026-05-29 check` */
  @state() chosen = '';
  /** The consequences of a step that is about to be taken again, with its days. */
  @state() preview: { readonly told: SessionStepRun; readonly start: string; readonly end: string } | null = null;
  private readonly action = new Action(this);

  override render() {
    const [newest] = this.sessions;
    if (!newest) return html`<p class="muted">${t('ops.sessions.none')}</p>`;
    const cells = this.sessions.flatMap(({ date, steps }) => steps.map((step) => ({ date, step })));
    const open = cells.find(({ date, step }) => keyOf(date, step) === this.chosen);
    return html`<div class="table-scroll" role="region" aria-label=${t('ops.steps')} tabindex="0"><table class="ops-steps">
        <caption class="visually-hidden">${t('ops.steps')}</caption>
        <thead><tr><th scope="col">${t('ops.session')}</th>${newest.steps.map(({ step }) => html`<th scope="col">${nameOf(step)}</th>`)}</tr></thead>
        <tbody>${this.sessions.map(
          ({ date, steps }) =>
            html`<tr><th scope="row">${dayInMonth(date)}</th>${steps.map((step) => this.cell(date, step))}</tr>`,
        )}</tbody>
      </table></div>
      ${open ? this.detail(open.date, open.step) : nothing}
      ${this.previewed()} ${this.refill(newest)} ${this.action.feedback()}`;
  }

  private cell(date: string, step: Step) {
    const key = keyOf(date, step);
    const choose = () => {
      this.action.clear();
      this.preview = null;
      this.chosen = this.chosen === key ? '' : key;
    };
    return html`<td><button class="quiet ops-step ${step.state}" aria-expanded=${key === this.chosen} @click=${choose}>
      <span class="visually-hidden">${day(date)}, ${nameOf(step.step)}:</span>
      ${cellText(step)} ${step.late ? html`<b class="ops-late">${t('ops.step.late')}</b>` : nothing}
    </button></td>`;
  }

  private detail(date: string, step: Step) {
    const title = `${day(date)} · ${nameOf(step.step)} · ${t(`ops.step.state.${step.state}`)}`;
    const took = seconds(step);
    return html`<section class="notice" aria-label=${title}>
      <h3>${title}</h3>
      ${step.reason === null ? nothing : html`<p class="cause">${step.reason}</p>`}
      <dl class="facts">
        <dt>${t('ops.step.due')}</dt><dd>${utcTime(step.due_at)}</dd>
        <dt>${t('ops.step.started')}</dt><dd>${utcTime(step.started_at)}</dd>
        <dt>${t('ops.step.ended')}</dt><dd>${utcTime(step.ended_at)}${took === null ? nothing : ` (${tookText(took)})`}</dd>
        <dt>${t('ops.step.rows')}</dt><dd>${number(step.rows)}</dd>
      </dl>
      ${isLoad(step.step) ? html`<ops-session-load .date=${date} .venueBasis=${venueBasisOf(step.step)}></ops-session-load>` : nothing}
      ${step.state === 'held' ? html`<ops-session-impact .date=${date}></ops-session-impact>` : nothing}
      ${step.queue === null || step.job_id === null ? nothing : html`<details><summary>${t('ops.step.job')}</summary><ops-job-timeline .queue=${step.queue} .job=${step.job_id}></ops-job-timeline></details>`}
      <div class="row">
        ${step.state === 'held' ? html`<button class="primary" ?disabled=${this.action.isBusy} @click=${() => this.action.release(date, step.reason ?? '')}>${t('ops.release.session', { date: day(date) })}</button>` : nothing}
        <button ?disabled=${this.action.isBusy} @click=${() => this.tell(step.step, date, date)}>${t('ops.step.again')}</button>
      </div>
    </section>`;
  }

  /** A range of sessions is loaded again, once its cost is known. */
  private refill({ date, steps }: SessionSteps) {
    const loads = steps.filter(({ step }) => isLoad(step));
    const tell = (event: Event) => {
      event.preventDefault();
      const given = fieldsOf(event);
      const wanted = loads.find(({ step }) => step === textIn(given, 'step'));
      if (wanted) void this.tell(wanted.step, textIn(given, 'start'), textIn(given, 'end'));
    };
    return html`<details><summary>${t('ops.refill')}</summary>
      <form class="row controls" @submit=${tell}>
        <label>${t('ops.step')}<select name="step">${loads.map(({ step }) => html`<option value=${step}>${nameOf(step)}</option>`)}</select></label>
        <label>${t('ops.refill.start')}<input type="date" name="start" required .value=${this.sessions.at(-1)?.date ?? date}></label>
        <label>${t('ops.refill.end')}<input type="date" name="end" required .value=${date}></label>
        <button ?disabled=${this.action.isBusy}>${t('ops.refill.tell')}</button>
      </form>
    </details>`;
  }

  private async tell(step: StepName, start: string, end: string): Promise<void> {
    this.preview = null;
    await this.action.run('', async () => {
      const told = await post<SessionStepRun>('/api/admin/sessions/run', { step, start, end, dry_run: true });
      this.preview = { told, start, end };
    });
  }

  private readonly takeAgain = async () => {
    if (this.preview === null) return;
    const { told, start, end } = this.preview;
    const body = { step: told.step, start, end };
    const isDone = await this.action.run(
      ({ sync_job_id: load, job_id: job }: SessionStepRun) => t((load ?? job) ? 'ops.step.queued' : 'ops.step.checked'),
      () => post<SessionStepRun>('/api/admin/sessions/run', body),
    );
    if (isDone) this.preview = null;
  };

  private previewed() {
    if (this.preview === null) return nothing;
    const { told, start, end } = this.preview;
    const range = start === end ? day(start) : `${day(start)} … ${day(end)}`;
    const title = t('ops.step.preview', { step: nameOf(told.step), range });
    return html`<section class="notice preview" aria-label=${title}>
      <p><b>${title}</b> ${t('ops.step.preview.nothing_yet')}</p>
      <ul class="plain">${consequences(told).map((line) => html`<li>${line}</li>`)}</ul>
      ${told.problem === null ? nothing : html`<p class="cause">${told.problem}</p>`}
      <div class="row">
        <button class="primary" ?disabled=${this.action.isBusy} @click=${this.takeAgain}>${t('ops.step.confirm')}</button>
        <button ?disabled=${this.action.isBusy} @click=${this.close}>${t('word.cancel')}</button>
      </div>
    </section>`;
  }

  private readonly close = () => {
    this.preview = null;
  };
}

const keyOf = (date: string, { step }: Step): string => `${date} ${step}`;

/** Below a second, `duration` has no unit. */
const tookText = (took: number): string => (took < 1 ? t('ops.step.at_once') : duration(took));

/** `06:12 · 8 sec`, and the rows below; or the state. */
function cellText(step: Step) {
  const stateText = t(`ops.step.state.${step.state}`);
  if (step.state === 'idle')
    return html`<span aria-hidden="true">–</span><span class="visually-hidden">${stateText}</span>`;
  if (step.state !== 'done') return stateText;
  const took = seconds(step);
  return html`<span class="visually-hidden">${stateText}</span>
    <span>${step.ended_at?.slice(11, 16)}${took === null || took < 1 ? nothing : ` · ${duration(took)}`}</span>
    <span class="small muted">${number(step.rows)}</span>`;
}

/** The consequences of a step in sentences. */
function consequences(told: SessionStepRun): string[] {
  if (!told.due) return [t('ops.step.not_due')];
  const lines = [t('ops.step.sessions', { count: told.sessions })];
  if (told.rows !== null) lines.push(t('ops.step.about', { rows: told.rows }));
  if (told.seconds !== null) lines.push(t('ops.step.takes', { time: tookText(told.seconds) }));
  if (told.cost_usd === null || told.requests === null) lines.push(t('ops.step.cost_unknown'));
  else if (told.cost_usd > 0 || told.requests > 0)
    lines.push(t('ops.step.cost', { cost: dollars(told.cost_usd), requests: told.requests }));
  else if (isLoad(told.step)) lines.push(t('ops.step.free'));
  if (told.kept_runs > 0) lines.push(t('ops.step.kept_runs', { count: told.kept_runs }));
  if (told.followers.length > 0) lines.push(t('ops.step.followers', { steps: told.followers.map(nameOf).join(', ') }));
  return lines;
}
