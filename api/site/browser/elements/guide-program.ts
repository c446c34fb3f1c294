/** The program of a guide in three languages, and what its call answers the reader. */

import { customElement, property, state } from 'lit/decorators.js';
import type { GuideCall } from '../../guides/calls.ts';
import { choice } from '../controls.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import type { Sample } from '../samples.ts';
import { sendAsReader } from '../session.ts';
import { failure, type Loaded, settle } from '../states.ts';
import { t } from '../text.ts';
import type { QueryResult } from '../types.ts';
import './code-samples.ts';

type Part = 'answer' | 'table' | 'chart' | 'headers';

interface Answer {
  readonly status: string;
  readonly isOk: boolean;
  readonly ms: number;
  readonly bytes: number;
  readonly lines: readonly string[];
  readonly headers: string;
  /** Null: the answer is no list. */
  readonly rows: AnswerRows | null;
}

/** Lines of an answer that are shown. */
const SHOWN_LINES = 400;

async function ask({ method, path, body }: GuideCall): Promise<Answer> {
  const begun = performance.now();
  const response = await sendAsReader(method, path, { body });
  const text = await response.text();
  const answer = JSON.parse(text);
  const rows = rowsOfAnswer(answer);
  // Loaded by those who run a program.
  if (rows !== null) await Promise.all([import('./query-table.ts'), import('./query-chart.ts')]);
  return {
    status: `${response.status} ${response.statusText}`,
    isOk: response.ok,
    ms: Math.round(performance.now() - begun),
    bytes: new Blob([text]).size,
    lines: JSON.stringify(answer, null, 2).split('\n'),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    rows,
  };
}

@customElement('guide-program')
export class GuideProgram extends SiteElement {
  @property({ attribute: false }) samples: readonly Sample[] = [];
  @property({ attribute: false }) call!: GuideCall;
  @state() answer: Loaded<Answer> | null = null;
  @state() shown: Part = 'answer';

  private readonly run = async (): Promise<void> => {
    this.answer = { state: 'loading' };
    this.answer = await settle(ask(this.call));
  };

  override render() {
    return html`<code-samples .samples=${this.samples}></code-samples>
      <p>
        <button type="button" class="primary" ?disabled=${this.answer?.state === 'loading'} @click=${this.run}>
          ${t('docs.run')}
        </button>
        <code class="muted">${this.call.method} ${this.call.path.replace(/\?.*/, '')}</code>
      </p>
      <div aria-live="polite">${this.renderAnswer()}</div>`;
  }

  private renderAnswer() {
    const { answer } = this;
    if (answer === null || answer.state === 'loading') return nothing;
    if (answer.state === 'failed') return failure(answer.error, this.run);
    const { status, isOk, ms, bytes, rows } = answer.value;
    const parts: readonly Part[] = rows === null ? ['answer', 'headers'] : ['answer', 'table', 'chart', 'headers'];
    const shown = parts.includes(this.shown) ? this.shown : 'answer';
    return html`<div class="row spread">
        ${choice({
          label: t('docs.answer'),
          name: 'answer-part',
          values: parts.map((part) => [part, t(`docs.${part}`)] as const),
          chosen: shown,
          onChoose: (part) => {
            this.shown = part;
          },
        })}
        <span class="small"
          ><b class=${isOk ? 'gain' : 'loss'}>${status}</b>
          <span class="muted">${t('docs.answer_size', { ms, bytes })}</span></span
        >
      </div>
      ${contentOf(answer.value, shown)}`;
  }
}

function contentOf({ lines, headers, rows }: Answer, part: Part) {
  if (part === 'table') return html`<query-table .result=${rows}></query-table>`;
  if (part === 'chart') return html`<query-chart .result=${rows}></query-chart>`;
  const text = part === 'headers' ? headers : lines.slice(0, SHOWN_LINES).join('\n');
  return html`<pre tabindex="0" aria-label=${t(`docs.${part}`)}>${text}</pre>
    ${part === 'answer' && lines.length > SHOWN_LINES ? html`<p class="muted small">${t('docs.answer_cut', { lines: SHOWN_LINES })}</p>` : nothing}`;
}

type AnswerRows = Pick<QueryResult, 'columns' | 'rows'>;
type Cell = QueryResult['rows'][number][number];
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCell = (value: unknown): value is Cell =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** The longest list of the answer; null: there is none with fields to show. */
function rowsOfAnswer(answer: unknown): AnswerRows | null {
  const data = isFields(answer) ? answer.data : null;
  if (isTable(data)) return data;
  const values = Array.isArray(data) ? [data] : isFields(data) ? Object.values(data) : [];
  const lists = values.filter((value): value is Fields[] => Array.isArray(value) && value.every(isFields));
  const [longest] = lists.sort((a, b) => b.length - a.length);
  return longest === undefined || longest.length === 0 ? null : table(longest);
}

/** Whether the answer is a table already, as that of a query. */
function isTable(data: unknown): data is AnswerRows {
  return isFields(data) && Array.isArray(data.columns) && Array.isArray(data.rows);
}

function table(items: readonly Fields[]): AnswerRows | null {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const shown = names.filter((name) => items.every((item) => isCell(item[name] ?? null)));
  if (shown.length === 0) return null;
  const cells = (name: string) => items.map((item) => cellOf(item[name]));
  return {
    columns: shown.map((name) => ({ name, type: typeOf(cells(name)) })),
    rows: items.map((item) => shown.map((name) => cellOf(item[name]))),
  };
}

const cellOf = (value: unknown): Cell => (isCell(value) ? value : null);

function typeOf(cells: readonly Cell[]): QueryResult['columns'][number]['type'] {
  const known = cells.filter((cell) => cell !== null);
  if (known.length === 0) return 'text';
  if (known.every((cell) => typeof cell === 'number')) return 'number';
  if (known.every((cell) => typeof cell === 'boolean')) return 'boolean';
  return known.every((cell) => /^\d{4}-\d\d-\d\d$/.test(String(cell))) ? 'date' : 'text';
}
