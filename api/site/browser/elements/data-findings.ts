/** Doubts about loaded bars and events, with the bars around each, and what an administrator decides about them. */
import { customElement } from 'lit/decorators.js';
import { path } from '../api.ts';
import { fieldsOf, html, nothing, SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { eventName } from '../events.ts';
import { Load } from '../load.ts';
import { Action } from '../ops/action.ts';
import { get, patch } from '../session.ts';
import { number, price, signedPercent, textOr, utcTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { DataFinding, DataFindings } from '../types.ts';
import './data-table.ts';
import { type Column, numberColumn } from './data-table.ts';

const ADDRESS = '/api/admin/data/findings';
const SIZE = 50;
/** On each page that is read for a file. */
const EXPORTED = 200;
const DETAILS = ['event', 'factor', 'move_pct', 'adjusted_move_pct', 'until', 'sessions'] as const;
const KINDS = ['split', 'reverse_split', 'stock_dividend', 'cash_dividend', 'spin_off'] as const;

@customElement('data-findings')
export class DataFindingList extends SiteElement {
  private readonly list = new Load(this, () => get<DataFindings>(ADDRESS, { query: { size: SIZE } }));
  private readonly action = new Action(this);

  override render() {
    return html`${this.list.render((list) => this.content(list))}${this.action.feedback()}`;
  }

  private content({ total, items }: DataFindings) {
    if (total === 0) return html`<p class="muted">${t('findings.none')}</p>`;
    return html`<p class="muted">${t('findings.about', { count: total })}</p>
      <p><button class="quiet" @click=${() => this.export(total)}>${t('symbol.csv')}</button></p>
      <ul class="plain ops-loads">${items.map((finding) => this.item(finding))}</ul>`;
  }

  private item(finding: DataFinding) {
    const { id, symbol, date, kind, status, bars } = finding;
    const decide = (action: 'confirm' | 'ignore') => this.decide(id, { action });
    return html`<li>
      <div class="row spread">
        <div><a href=${path('/s/{symbol}', { symbol })}>${symbol}</a> ${date} <b>${t(`finding.${kind}`)}</b> ${detailsOf(finding)}
          <span class="muted">${statusOf(finding)}</span></div>
        ${
          status === 'mended'
            ? nothing
            : html`<div class="row">
          <button ?disabled=${this.action.isBusy} @click=${() => decide('confirm')}>${t('findings.confirm')}</button>
          <button ?disabled=${this.action.isBusy} @click=${() => decide('ignore')}>${t('findings.ignore')}</button>
        </div>`
        }
      </div>
      <details>
        <summary>${t('findings.bars')}</summary>
        <data-table .columns=${BAR_COLUMNS} .rows=${bars} .caption=${t('findings.bars')}></data-table>
        ${kind === 'hole' ? nothing : this.form(finding)}
      </details>
    </li>`;
  }

  private form({ id, date, kind, details: { event, factor } }: DataFinding) {
    const likely = event ?? (Number(factor) > 1 ? 'reverse_split' : 'split');
    const mend = (submitted: SubmitEvent) => {
      submitted.preventDefault();
      const given = fieldsOf(submitted);
      const name = String(given.get('kind'));
      const written = { kind: name, ex_date: String(given.get('ex_date')), factor: Number(given.get('factor')) };
      return this.decide(id, name === '' ? { action: 'mend' } : { action: 'mend', event: written });
    };
    return html`<form class="row one-line" @submit=${mend}>
      <label class="field"><span>${t('event.kind')}</span><select name="kind">
        ${kind === 'contradicted' ? html`<option value="">${t('findings.no_event')}</option>` : nothing}
        ${KINDS.map((one) => html`<option value=${one} ?selected=${one === likely}>${eventName({ kind: one })}</option>`)}
      </select></label>
      <label class="field"><span>${t('event.ex_date')}</span><input type="date" name="ex_date" required .value=${date} /></label>
      <label class="field"><span>${t('origin.factor')}</span><input name="factor" inputmode="decimal" required .value=${String(factor)} /></label>
      <button class="primary" ?disabled=${this.action.isBusy}>${t('findings.mend')}</button>
    </form>`;
  }

  /** All of them, a page after the other. */
  private async export(total: number): Promise<void> {
    const rows: (string | number)[][] = [['symbol', 'date', 'kind', 'status', ...DETAILS]];
    for (let page = 1; (page - 1) * EXPORTED < total; page++) {
      const { items } = await get<DataFindings>(ADDRESS, { query: { size: EXPORTED, page } });
      for (const { symbol, date, kind, status, details } of items)
        rows.push([symbol, date, kind, status, ...DETAILS.map((name) => details[name] ?? '')]);
    }
    saveCsv('findings.csv', rows);
  }

  private async decide(id: number, body: object): Promise<void> {
    const done = ({ status }: DataFinding) => t('findings.decided', { status: t(`findings.status.${status}`) });
    const address = path('/api/admin/data/findings/{id}', { id });
    await this.action.run(done, () => patch<DataFinding>(address, body));
    await this.list.reload();
  }
}

function detailsOf({ kind, details }: DataFinding): string {
  const { factor, move_pct: move, adjusted_move_pct: adjusted, until, sessions } = details;
  if (kind === 'hole') return t('findings.hole', { sessions: number(Number(sessions)), until: String(until) });
  const facts = { factor: number(Number(factor), 6), move: signedPercent(Number(move)) };
  if (kind === 'split_suspected') return t('findings.split', facts);
  const name = textOr(`event.${details.event}`, '');
  return t('findings.contradicted', { ...facts, name, adjusted: signedPercent(Number(adjusted)) });
}

function statusOf({ status, decided_by: by, decided_at: at }: DataFinding): string {
  const name = t(`findings.status.${status}`);
  return by === null ? name : `${name}: ${by}, ${utcTime(at)}`;
}

const BAR_COLUMNS: readonly Column<DataFinding['bars'][number]>[] = [
  { key: 'date', title: t('word.date'), cell: ({ date }) => date },
  numberColumn('open', t('word.open'), ({ open }) => open, price),
  numberColumn('high', t('word.high'), ({ high }) => high, price),
  numberColumn('low', t('word.low'), ({ low }) => low, price),
  numberColumn('close', t('word.close_price'), ({ close }) => close, price),
  numberColumn('volume', t('word.volume'), ({ volume }) => volume),
];
