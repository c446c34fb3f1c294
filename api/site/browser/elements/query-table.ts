/** The rows of a result as a table: sorted by any column, filtered by a text, with the columns that the reader keeps. */
import '../tool.ts';
import './data-table.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { anyNumber, number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { QueryResult } from '../types.ts';
import type { Column } from './data-table.ts';

type Row = QueryResult['rows'][number];

/** Characters of a cell that are shown; files have all of them. */
const LONGEST_CELL = 120;

@customElement('query-table')
export class QueryTable extends SiteElement {
  @property({ attribute: false }) result!: Pick<QueryResult, 'columns' | 'rows'>;
  @state() filter = '';
  /** Columns that are left out, by name. They stay out while results have them. */
  @state() hiddenColumns: ReadonlySet<string> = new Set();
  private columns: readonly Column<Row>[] = [];
  private rows: readonly Row[] = [];

  protected override willUpdate(changed: Map<string, unknown>): void {
    const { columns, rows } = this.result;
    if (changed.has('result')) this.filter = '';
    if (changed.has('result') || changed.has('hiddenColumns')) {
      const all = columns.map(({ name, type }, i) => columnOf(name, type, i));
      this.columns = all.filter(({ title }) => !this.hiddenColumns.has(title));
    }
    if (!changed.has('result') && !changed.has('filter')) return;
    const wanted = this.filter.toLowerCase();
    this.rows = wanted === '' ? rows : rows.filter((row) => row.some((cell) => hasText(cell, wanted)));
  }

  private readonly changeFilter = (event: Event) => {
    this.filter = fieldValue(event).trim();
  };

  private toggle(name: string): void {
    const hiddenColumns = new Set(this.hiddenColumns);
    if (!hiddenColumns.delete(name)) hiddenColumns.add(name);
    this.hiddenColumns = hiddenColumns;
  }

  override render() {
    const { columns, rows } = this.result;
    if (rows.length === 0) return html`<p class="state">${t('sql.nothing')}</p>`;
    const isFiltered = this.rows.length < rows.length;
    return html`<div class="row table-tools">
        <input type="search" .value=${this.filter} @input=${this.changeFilter} placeholder=${t('sql.filter')} aria-label=${t('sql.filter')} />
        <span class="muted small" role="status">${isFiltered ? t('sql.filtered', { shown: number(this.rows.length), total: number(rows.length) }) : nothing}</span>
        <details>
          <summary>${t('sql.columns', { shown: this.columns.length, total: columns.length })}</summary>
          <div class="row">${columns.map(({ name }) => html`<label><input type="checkbox" .checked=${!this.hiddenColumns.has(name)} @change=${() => this.toggle(name)} /> ${name}</label>`)}</div>
        </details>
      </div>
      <data-table .columns=${this.columns} .rows=${this.rows} .empty=${html`<p class="state">${t('sql.filter.none')}</p>`} caption=${t('audit.result')}></data-table>`;
  }
}

const hasText = (cell: Row[number], wanted: string) => cell !== null && String(cell).toLowerCase().includes(wanted);

function columnOf(name: string, type: QueryResult['columns'][number]['type'], i: number): Column<Row> {
  const isNumber = type === 'number' || type === 'integer';
  return { key: String(i), title: name, isNumber, value: (row) => row[i], cell: (row) => shown(row[i]) };
}

function shown(cell: Row[number]): string {
  if (cell === null) return '–';
  if (typeof cell === 'number') return anyNumber(cell);
  if (typeof cell === 'boolean') return cell ? '✓' : '✗';
  return cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell;
}
