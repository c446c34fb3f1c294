/** Up to three symbols that begin as one that is not known, as links. */
import { customElement, property } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { t, ticker } from '../text.ts';
import type { SymbolItem, SymbolSearch } from '../types.ts';
import './symbol-search.ts';

const SHOWN = 3;
/** Each is a call. */
const MOST_LETTERS = 5;

/** The longest beginning that some instrument has. */
async function nearest(symbol: string): Promise<readonly SymbolItem[]> {
  for (let q = ticker(symbol).slice(0, MOST_LETTERS); q !== ''; q = q.slice(0, -1)) {
    const { items } = await get<SymbolSearch>('/v1/symbols', { query: { q, limit: SHOWN } });
    if (items.length > 0) return items;
  }
  return [];
}

@customElement('nearest-symbols')
export class NearestSymbols extends SiteElement {
  @property() symbol = '';
  /** Whether another can be searched for. */
  @property({ type: Boolean }) hasField = false;
  /** The address of what is shown for a symbol. */
  @property({ attribute: false }) href!: (symbol: string) => string;
  private readonly found = new Load(this, () => nearest(this.symbol), { of: () => this.symbol });

  override render() {
    const items = this.found.value ?? [];
    const open = ({ detail: { symbol } }: CustomEvent<SymbolItem>) => location.assign(this.href(symbol));
    const links = items.map(
      ({ symbol, name }) =>
        html`<li><a href=${this.href(symbol)}>${ticker(symbol)}</a> <span class="muted">${name}</span></li>`,
    );
    return html`${this.hasField ? html`<symbol-search .value=${this.symbol} label=${t('search.label')} @choose=${open}></symbol-search>` : nothing}
      ${items.length === 0 ? nothing : html`<p>${t('symbol.nearest')}</p><ul>${links}</ul>`}`;
  }
}
