/** Which instruments a page looks at: all, those of a type, a list of the reader's own, or what the last screen found. */
import { customElement, property, state } from 'lit/decorators.js';
import { choiceFromAddress, fromAddress } from '../address.ts';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { keepMyList, keptList, myList } from '../kept-list.ts';
import { symbolsIn, t, ticker } from '../text.ts';

const UNIVERSES = ['', 'stock', 'etf', 'list', 'last'] as const;
type Kind = (typeof UNIVERSES)[number];
/** In a column: a condition of the rule of the page. */
const COLUMN = 'column';

export interface Universe {
  /** Empty: all that the page has. */
  readonly kind: Kind;
  /** The symbols of a list or of the last screen. */
  readonly symbols: readonly string[];
}

export const EVERYTHING: Universe = { kind: '', symbols: [] };

const isListed = (kind: Kind) => kind === 'list' || kind === 'last';

/** A list without symbols is no universe. */
export function universeInAddress(): Universe {
  const kind = choiceFromAddress('universe', UNIVERSES);
  const symbols = isListed(kind) ? symbolsIn(fromAddress('symbols') ?? '') : [];
  return isListed(kind) && symbols.length === 0 ? EVERYTHING : { kind, symbols };
}

/** In a query; an empty value is left out of an address. */
export const universeQuery = ({ kind, symbols }: Universe) => ({ universe: kind, symbols: symbols.join(',') });

/** As the API names the instruments of a screen. */
export function membersOf({ kind, symbols }: Universe) {
  if (isListed(kind)) return { symbols };
  return kind === '' ? {} : { asset_type: kind };
}

/** Fires `universe` with the chosen one: of a list once it has symbols. */
@customElement('universe-chip')
export class UniverseChip extends SiteElement {
  @property({ attribute: false }) universe = EVERYTHING;
  /** The name of everything. */
  @property() all = '';
  /** The kinds that the page has. */
  @property({ attribute: false }) kinds: readonly Kind[] = UNIVERSES;
  /** Instruments counted, and what is left of them. */
  @property() counts = '';
  /** The rule of the chosen column, and the fields that choose one; null: the page has no rule. */
  @property({ attribute: false }) member: { readonly rule: string; readonly fields: unknown } | null = null;
  @state() isWriting = false;
  @state() isPicking = false;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('universe')) return;
    this.isWriting = this.universe.kind === 'list';
    this.isPicking = false;
  }

  private choose(universe: Universe): void {
    this.dispatchEvent(new CustomEvent('universe', { detail: universe }));
  }

  private readonly chooseKind = (event: Event) => {
    const kind = UNIVERSES.find((one) => one === fieldValue(event)) ?? '';
    this.isWriting = kind === 'list';
    this.isPicking = fieldValue(event) === COLUMN;
    if (this.isPicking) return;
    const symbols = kind === 'list' ? myList() : kind === 'last' ? lastSymbols() : [];
    if (!isListed(kind) || symbols.length > 0) this.choose({ kind, symbols });
  };

  private readonly write = (event: Event) => {
    const symbols = symbolsIn(fieldValue(event));
    keepMyList(symbols);
    this.choose(symbols.length > 0 ? { kind: 'list', symbols } : EVERYTHING);
  };

  override render() {
    const { isWriting, member } = this;
    const { kind, symbols } = this.universe;
    const isOfColumn = this.isPicking || (!isWriting && kind === '' && !!member?.rule);
    const chosen = isWriting ? 'list' : kind;
    const kinds = this.kinds.filter((one) => one !== 'last' || kind === 'last' || lastSymbols().length > 0);
    return html`<label><span class="muted">${t('universe')}</span>
        <select aria-label=${t('universe')} @change=${this.chooseKind}>${kinds.map((one) => html`<option value=${one} ?selected=${!isOfColumn && one === chosen}>${this.nameOf(one)}</option>`)}
          ${member === null ? nothing : html`<option value=${COLUMN} ?selected=${isOfColumn}>${t('universe.column')}</option>`}</select>
        <span class="number">${this.counts}</span></label>
      ${isWriting ? html`<input class="mono" aria-label=${t('universe.list.symbols')} placeholder=${t('universe.list.symbols')} .value=${symbols.map(ticker).join(' ')} @change=${this.write} autocomplete="off" autocapitalize="characters" spellcheck="false" />` : nothing}${isOfColumn ? member?.fields : nothing}`;
  }

  private nameOf(kind: Kind): string {
    if (kind === '') return this.all;
    return universeWords(
      kind === 'last' && this.universe.kind !== 'last' ? { kind, symbols: lastSymbols() } : { ...this.universe, kind },
    );
  }
}

/** Empty for everything. */
export function universeWords({ kind, symbols }: Universe): string {
  if (kind === '') return '';
  return kind === 'last' ? t('universe.last', { count: symbols.length }) : t(`universe.${kind}`);
}

const lastSymbols = () => keptList()?.items.map(({ symbol }) => symbol) ?? [];
