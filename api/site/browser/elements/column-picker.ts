/** A dialog of the columns of a table: found by words, shown or hidden, put in order by dragging or keys, and kept as named sets. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, find, html, nothing, SiteElement, targetOf } from '../dom.ts';
import { type ColumnSets, columnSets, keepColumnSets } from '../kept-list.ts';
import { t } from '../tool-text.ts';

interface Offered {
  readonly key: string;
  readonly title: string;
}

/** Fires `columns` with the keys of the shown ones in their order, at each change. */
@customElement('column-picker')
export class ColumnPicker extends SiteElement {
  @property({ attribute: false }) offered: readonly Offered[] = [];
  @property({ attribute: false }) chosen: readonly string[] = [];
  /** The columns to begin with. */
  @property({ attribute: false }) first: readonly string[] = [];
  @property({ attribute: false }) counts = { count: 0, total: 0 };
  @state() wanted = '';
  @state() sets: ColumnSets = columnSets();
  /** The column that is dragged. */
  private dragged: string | null = null;
  /** The column that the keyboard is at, wherever a change puts it. */
  private focused: string | null = null;

  protected override updated(): void {
    if (this.focused === null) return;
    this.querySelector<HTMLElement>(`input[value="${CSS.escape(this.focused)}"]`)?.focus();
    this.focused = null;
  }

  private choose(chosen: readonly string[]): void {
    this.dispatchEvent(new CustomEvent('columns', { detail: chosen }));
  }

  private show({ key }: Offered, isShown: boolean): void {
    this.focused = key;
    this.choose(isShown ? [...this.chosen, key] : this.chosen.filter((one) => one !== key));
  }

  /** Puts a shown column where another one is. */
  private move(key: string, place: number): void {
    const others = this.chosen.filter((one) => one !== key);
    if (others.length === this.chosen.length || place < 0 || place > others.length) return;
    this.choose(others.toSpliced(place, 0, key));
  }

  private readonly onKeydown = (event: KeyboardEvent) => {
    const { key, altKey } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const box = targetOf(event, HTMLInputElement);
    if (altKey) {
      this.focused = box.value;
      this.move(box.value, this.chosen.indexOf(box.value) + step);
      return;
    }
    const boxes = [...this.querySelectorAll<HTMLInputElement>('li input')];
    boxes[boxes.indexOf(box) + step]?.focus();
  };

  private keep(sets: ColumnSets): void {
    this.sets = sets;
    keepColumnSets(sets);
  }

  private readonly keepSet = (event: SubmitEvent) => {
    event.preventDefault();
    const field = find(targetOf(event, HTMLFormElement), 'input', HTMLInputElement);
    this.keep({ ...columnSets(), [field.value.trim()]: this.chosen });
    field.value = '';
  };

  private drop(name: string): void {
    const { [name]: _dropped, ...others } = columnSets();
    this.keep(others);
  }

  override render() {
    const open = () => find(this, 'dialog', HTMLDialogElement).showModal();
    return html`<button class="quiet" @click=${open}>${t('screener.columns', this.counts)}</button>
      <dialog class="column-picker" aria-labelledby="columns-title">${this.content()}</dialog>`;
  }

  private content() {
    const { chosen, offered, wanted } = this;
    const titles = new Map(offered.map((column) => [column.key, column]));
    const shown = chosen.flatMap((key) => titles.get(key) ?? []);
    const ordered = [...shown, ...offered.filter(({ key }) => !chosen.includes(key))];
    const found = ordered.filter(({ title }) => title.toLowerCase().includes(wanted.trim().toLowerCase()));
    const search = (event: Event) => {
      this.wanted = fieldValue(event);
    };
    const named = Object.keys(this.sets).filter((name) => name !== '');
    return html`<h2 id="columns-title">${t('screener.columns.title')}</h2>
      <input type="search" aria-label=${t('screener.columns.search')} placeholder=${t('screener.columns.search')} @input=${search} />
      <p class="muted small" id="columns-how">${t('screener.columns.how')}</p>
      <ul @keydown=${this.onKeydown}>${found.map((column) => this.line(column))}</ul>
      <div class="row sets">
        <button type="button" class="quiet" @click=${() => this.choose(this.first)}>${t('screener.columns.first')}</button>
        ${named.map((name) => html`<span><button type="button" class="quiet" @click=${() => this.choose(this.sets[name])}>${name}</button> <button type="button" class="quiet muted" aria-label=${t('screener.remove_of', { condition: name })} @click=${() => this.drop(name)}>×</button></span>`)}
      </div>
      <form class="row one-line" @submit=${this.keepSet}>
        <input required maxlength="60" autocomplete="off" aria-label=${t('screener.columns.set')} placeholder=${t('screener.columns.set')} />
        <button>${t('word.save')}</button>
      </form>
      <form method="dialog"><button class="primary">${t('screener.columns.done')}</button></form>`;
  }

  private line(column: Offered) {
    const { key, title } = column;
    const isShown = this.chosen.includes(key);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      if (this.dragged !== null) this.move(this.dragged, this.chosen.indexOf(key));
    };
    return html`<li
      draggable=${isShown ? 'true' : 'false'}
      @dragstart=${() => {
        this.dragged = key;
      }}
      @dragover=${(event: Event) => isShown && event.preventDefault()}
      @drop=${drop}
    >
      <label><input type="checkbox" value=${key} aria-describedby="columns-how" .checked=${isShown} @change=${(event: Event) => this.show(column, targetOf(event, HTMLInputElement).checked)} /> ${title}</label>
      ${isShown ? html`<span class="grip" aria-hidden="true">⠿</span>` : nothing}
    </li>`;
  }
}
