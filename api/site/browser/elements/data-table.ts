/**
 * A table of any number of rows: sortable by its columns, with keyboard navigation, and drawn as far as the reader scrolls.
 * Numbers are aligned right, texts left.
 */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, html, nothing, SiteElement, targetOf } from '../dom.ts';
import { locale } from '../page-locale.ts';
import { number, percent, signedPercent, t } from '../text.ts';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly isNumber?: boolean;
  /** Whether it gives way where the table is narrow. */
  readonly isMinor?: boolean;
  /** Class of its cells and of its head. */
  readonly className?: string;
  /** The value that rows are sorted by; a column without one cannot be sorted. */
  readonly value?: (row: Row) => string | number | boolean | null;
  /** The content of the cell; default: the value. */
  readonly cell?: (row: Row) => unknown;
  /** Class of the cell. */
  readonly tone?: (row: Row) => string;
}

/** A column of figures, sorted by them. `write` gives their texts, `tone` the class of their cells. */
export function numberColumn<Row, Value extends number | null>(
  key: string,
  title: string,
  value: (row: Row) => Value,
  write: (value: Value) => string = number,
  tone?: (value: Value) => string,
): Column<Row> {
  const cell = (row: Row) => write(value(row));
  return { key, title, isNumber: true, value, cell, ...(tone && { tone: (row) => tone(value(row)) }) };
}

/** A column of texts, sorted by them, which cells show in another form. */
export function textColumn<Row>(
  key: string,
  title: string,
  value: (row: Row) => string | null,
  write: (value: string | null) => unknown,
): Column<Row> {
  return { key, title, value, cell: (row) => write(value(row)) };
}

/** A column of texts that programs use. */
export function codeColumn<Row>(key: string, title: string, value: (row: Row) => string): Column<Row> {
  return textColumn(key, title, value, (name) => html`<code>${name}</code>`);
}

/** A column of what can be done with each row, at the right. */
export function actionColumn<Row>(title: string, cell: (row: Row) => unknown): Column<Row> {
  return { key: 'action', title, isNumber: true, cell };
}

/** A button in a row. `label` names the row too. */
export function rowButton(text: string, label: string, onClick: () => unknown, isDisabled = false) {
  return html`<button type="button" class="quiet" aria-label=${label} ?disabled=${isDisabled} @click=${onClick}>${text}</button>`;
}

/** Shares of 100. */
export function percentColumn<Row>(key: string, title: string, value: (row: Row) => number | null, digits = 1) {
  return numberColumn(key, title, value, (share) => percent(share, digits));
}

/** Changes in percent, with their signs. */
export function changeColumn<Row>(
  key: string,
  title: string,
  value: (row: Row) => number | null,
  tone?: (value: number | null) => string,
) {
  return numberColumn(key, title, value, (change) => signedPercent(change, 1), tone);
}

export interface Sort {
  readonly key: string;
  readonly order: 'asc' | 'desc';
}

const DRAWN_AT_ONCE = 100;

const classOf = ({ isNumber, isMinor, className = '' }: Pick<Column<never>, 'isNumber' | 'isMinor' | 'className'>) =>
  [isNumber ? 'number' : '', isMinor ? 'minor' : '', className].join(' ').trim();

/** Words keep the hyphens of text, and dates those of figures. */
const isWord = (shown: string | number | boolean) => typeof shown === 'string' && /^\D/.test(shown);

@customElement('data-table')
export class DataTable<Row = unknown> extends SiteElement {
  @property({ attribute: false }) columns: readonly Column<Row>[] = [];
  @property({ attribute: false }) rows: readonly Row[] = [];
  @property() caption = '';
  /** Shown where there is no row. */
  @property({ attribute: false }) empty!: unknown;
  @property({ attribute: false }) sort: Sort | null = null;
  /** Rows of cells below all others, whatever the order: sums, medians. */
  @property({ attribute: false }) foot: readonly (readonly unknown[])[] = [];
  /** The highlighted row. */
  @property({ attribute: false }) current: Row | null = null;
  /** How many rows of the beginning and of the end are in sight until all are asked for; null: all are. */
  @property({ attribute: false }) ends: readonly [number, number] | null = null;
  @state() isWhole = false;
  /** In the texts of a row; empty: every row. */
  @state() filter = '';
  @state() drawn = DRAWN_AT_ONCE;
  private observer: IntersectionObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('beforeprint', this.toPaper);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('beforeprint', this.toPaper);
    this.observer?.disconnect();
  }

  /** The page is printed as soon as this returns. */
  private readonly toPaper = (): void => {
    this.isWhole = true;
    this.performUpdate();
  };

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('rows')) {
      this.drawn = DRAWN_AT_ONCE;
      this.isWhole = false;
      this.filter = '';
    }
    const { current } = this;
    if (changed.has('current') && current !== null) {
      this.drawn = Math.max(this.drawn, this.sorted().indexOf(current) + 1);
    }
  }

  protected override updated(changed: Map<string, unknown>): void {
    this.observer?.disconnect();
    const more = this.isShort ? null : this.querySelector('.more');
    if (more) {
      this.observer = new IntersectionObserver(([entry]) => entry.isIntersecting && this.drawMore(), {
        rootMargin: '400px',
      });
      this.observer.observe(more);
    }
    if (changed.has('current')) this.scrollToCurrent();
  }

  /** Scrolls the table only, not the page. */
  private scrollToCurrent(): void {
    const box = this.querySelector('.table-scroll');
    const row = this.querySelector<HTMLElement>('tr.current');
    if (!box || !row || row.contains(document.activeElement)) return;
    const top = row.offsetTop - box.clientHeight / 2;
    if (row.offsetTop < box.scrollTop || row.offsetTop > box.scrollTop + box.clientHeight - row.offsetHeight) {
      box.scrollTop = top;
    }
  }

  private readonly drawMore = () => {
    this.drawn += DRAWN_AT_ONCE;
  };

  private sorted(): readonly Row[] {
    const column = this.columns.find(({ key }) => key === this.sort?.key);
    if (!column?.value || !this.sort) return this.rows;
    const { value } = column;
    const sign = this.sort.order === 'asc' ? 1 : -1;
    return this.rows.toSorted((a, b) => {
      const [left, right] = [value(a), value(b)];
      // Undefined values come last in either order.
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      return (
        sign * (typeof left === 'string' ? left.localeCompare(String(right), locale) : Number(left) - Number(right))
      );
    });
  }

  private sortBy({ key, isNumber }: Column<Row>): void {
    const first = isNumber ? 'desc' : 'asc';
    const other = isNumber ? 'asc' : 'desc';
    this.sort = { key, order: this.sort?.key === key && this.sort.order === first ? other : first };
    this.dispatchEvent(new CustomEvent('sort', { detail: this.sort }));
  }

  private readonly onKeydown = (event: KeyboardEvent) => {
    const row = targetOf(event, HTMLElement).closest('tbody tr');
    if (!row) return;
    if (event.key === 'Enter' && event.target === row) row.querySelector('a')?.click();
    const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
    if (!['ArrowDown', 'ArrowUp'].includes(event.key) || !(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  };

  private choose(row: Row): void {
    this.dispatchEvent(new CustomEvent('choose', { detail: row }));
  }

  /** Says which row is under the pointer; null: none. */
  private point(row: Row | null): void {
    this.dispatchEvent(new CustomEvent('point', { detail: row }));
  }

  private get isShort(): boolean {
    const { ends, isWhole, rows } = this;
    return ends !== null && !isWhole && rows.length > ends[0] + ends[1];
  }

  /** The rows that are asked for, in their order. */
  private found(): readonly Row[] {
    const rows = this.sorted();
    const wanted = this.filter.trim().toLowerCase();
    if (this.isShort && this.ends !== null) {
      const [first, last] = this.ends;
      return [...rows.slice(0, first), ...rows.slice(rows.length - last)];
    }
    if (wanted === '') return rows;
    const texts = (row: Row) => this.columns.map(({ value }) => String(value?.(row) ?? '')).join(' ');
    return rows.filter((row) => texts(row).toLowerCase().includes(wanted));
  }

  private allButton() {
    const showAll = () => {
      this.isWhole = true;
    };
    return html`<p class="more"><button @click=${showAll}>${t('table.all', { count: this.rows.length })}</button></p>`;
  }

  private filterField() {
    const onInput = (event: Event) => {
      this.filter = fieldValue(event);
    };
    return html`<input class="table-filter" type="search" aria-label=${t('table.filter')} placeholder=${t('table.filter')} @input=${onInput} />`;
  }

  override render() {
    if (this.rows.length === 0) return this.empty ?? html`<p class="muted">${t('table.empty')}</p>`;
    const rows = this.found();
    const left = rows.length - this.drawn;
    const hasFilter = this.ends !== null && this.isWhole;
    return html`${hasFilter ? this.filterField() : nothing}<div class="table-scroll" role="region" aria-label=${this.caption} tabindex="0">
        <table aria-rowcount=${rows.length + 1}>
          <caption class="visually-hidden">${this.caption}</caption>
          <thead><tr>${this.columns.map((column) => this.head(column))}</tr></thead>
          <tbody @keydown=${this.onKeydown}>${rows.slice(0, this.drawn).map((row, i) => this.line(row, i))}</tbody>
          ${this.foot.length === 0 ? nothing : html`<tfoot>${this.foot.map((cells) => this.footLine(cells))}</tfoot>`}
        </table>
      </div>
      ${
        left > 0
          ? html`<p class="more"><button @click=${this.drawMore}>${t('table.more', { count: this.drawn, total: rows.length })}</button></p>`
          : this.isShort
            ? this.allButton()
            : nothing
      }`;
  }

  private head(column: Column<Row>) {
    const { key, title, value } = column;
    const isSorted = this.sort?.key === key;
    const arrow = isSorted ? (this.sort?.order === 'asc' ? ' ↑' : ' ↓') : '';
    const direction = isSorted ? (this.sort?.order === 'asc' ? 'ascending' : 'descending') : nothing;
    return html`<th scope="col" class=${classOf(column)} aria-sort=${direction}>
      ${
        value
          ? html`<button @click=${() => this.sortBy(column)} title=${t('table.sort', { column: title })}>${title}${arrow}</button>`
          : title
      }
    </th>`;
  }

  private footLine(cells: readonly unknown[]) {
    return html`<tr>${cells.map((cell, i) => html`<td class=${classOf(this.columns[i])}>${cell}</td>`)}</tr>`;
  }

  private line(row: Row, i: number) {
    return html`<tr
      tabindex=${i === 0 ? 0 : -1}
      class=${row === this.current ? 'current' : ''}
      @click=${() => this.choose(row)}
      @pointerenter=${() => this.point(row)}
      @pointerleave=${() => this.point(null)}
      @focus=${() => this.choose(row)}
    >
      ${this.columns.map((column) => {
        const { cell, value, tone } = column;
        const shown = value?.(row) ?? '';
        const kind = !column.isNumber && isWord(shown) ? 'word' : '';
        const classes = [classOf(column), kind, tone?.(row) ?? ''].join(' ').trim();
        return html`<td class=${classes}>${cell ? cell(row) : shown}</td>`;
      })}
    </tr>`;
  }
}
