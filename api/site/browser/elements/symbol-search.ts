/** A search field with suggestions by ticker, former ticker, and name. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { AbortScope } from '../load.ts';
import { get } from '../session.ts';
import { day, t } from '../text.ts';
import type { SymbolItem, SymbolSearch } from '../types.ts';

const PAUSE_MS = 120;
const MATCHES = 8;
let searches = 0;

export interface Suggested extends Pick<SymbolItem, 'symbol' | 'name'> {
  readonly delisted_on?: string | null;
  /** Absent: an instrument. */
  readonly kind?: 'value' | 'strategy';
  /** The id of a strategy. */
  readonly id?: number;
}

@customElement('symbol-search')
export class SymbolSearchField extends SiteElement {
  /** Name of the field in a form. */
  @property() name = '';
  @property() value = '';
  @property() label!: string | undefined;
  @property() placeholder = t('search.placeholder');
  /** Whether a symbol is taken as soon as it is chosen, and leaves an empty field: then a whole one is to be chosen, too. */
  @property({ type: Boolean }) isPicker = false;
  @state() items: readonly Suggested[] = [];
  @state() current = -1;
  @state() state: 'closed' | 'open' | 'failed' = 'closed';
  private readonly id_ = `search-${++searches}`;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly work = new AbortScope(this);

  private readonly onInput = (event: InputEvent) => {
    this.value = fieldValue(event);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE_MS);
  };

  private async ask(): Promise<void> {
    const signal = this.work.next();
    const q = this.value.trim();
    if (q === '') {
      this.state = 'closed';
      return;
    }
    try {
      const items = await this.read(q, signal);
      this.items = items;
      this.current = items.length > 0 ? 0 : -1;
      // A whole symbol leaves nothing to choose, and the list would cover what follows the field.
      this.state = !this.isPicker && items.length === 1 && items[0].symbol === q.toUpperCase() ? 'closed' : 'open';
    } catch {
      if (!signal.aborted) this.state = 'failed';
    }
  }

  /** The items that a text may mean. */
  protected async read(q: string, signal: AbortSignal): Promise<readonly Suggested[]> {
    const { items } = await get<SymbolSearch>('/v1/symbols', { query: { q, limit: MATCHES }, signal });
    return items;
  }

  private readonly onKeydown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'Escape') this.state = 'closed';
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (this.items.length === 0) return;
      const step = key === 'ArrowDown' ? 1 : -1;
      this.current = (this.current + step + this.items.length) % this.items.length;
    } else if (key === 'Enter') this.enter(event);
  };

  private enter(event: KeyboardEvent): void {
    const isOpen = this.state === 'open' && this.current >= 0;
    if (isOpen) {
      event.preventDefault();
      this.choose(this.items[this.current]);
    }
  }

  protected choose(item: Suggested): void {
    this.work.abort();
    clearTimeout(this.timer);
    this.state = 'closed';
    this.value = this.isPicker ? '' : item.symbol;
    this.dispatchEvent(new CustomEvent('choose', { detail: item, bubbles: true }));
  }

  private readonly onBlur = () => {
    clearTimeout(this.timer);
    this.state = 'closed';
  };

  override render() {
    const isOpen = this.state === 'open' && this.items.length > 0;
    const label = this.label ?? t('search.label');
    return html`<input
        type="text"
        role="combobox"
        name=${this.name}
        aria-label=${label}
        aria-expanded=${isOpen}
        aria-controls=${`${this.id_}-list`}
        aria-autocomplete="list"
        aria-activedescendant=${isOpen && this.current >= 0 ? `${this.id_}-${this.current}` : nothing}
        placeholder=${this.placeholder}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        .value=${this.value}
        @input=${this.onInput}
        @keydown=${this.onKeydown}
        @blur=${this.onBlur}
      />
      <ul id=${`${this.id_}-list`} class="suggestions" role="listbox" aria-label=${label} ?hidden=${!isOpen}>
        ${this.items.map((item, i) => this.suggestion(item, i))}
      </ul>
      <span class=${this.state === 'closed' || isOpen ? 'visually-hidden' : 'suggestions state-line'} role="status">${this.statusText()}</span>`;
  }

  private suggestion(item: Suggested, i: number) {
    const delisted = item.delisted_on ? ` · ${t('search.delisted', { date: day(item.delisted_on) })}` : '';
    const take = (event: MouseEvent) => {
      event.preventDefault();
      this.choose(item);
    };
    return html`<li id=${`${this.id_}-${i}`} role="option" aria-selected=${i === this.current} @mousedown=${take}>
      <b>${item.symbol}</b><span>${item.name}${delisted}</span>
    </li>`;
  }

  private statusText(): string {
    if (this.state === 'failed') return t('search.failed');
    if (this.state === 'closed') return '';
    return this.items.length === 0
      ? t('search.nothing', { text: this.value })
      : t('search.count', { count: this.items.length });
  }
}
