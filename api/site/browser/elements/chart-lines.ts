/** The lines over a chart: values of rules, other instruments, and the trades of an own strategy; and the field that adds them. */
import { customElement, property } from 'lit/decorators.js';
import { fieldsOf, find, html, nothing, SiteElement, targetOf, textIn } from '../dom.ts';
import { lineColor, MAX_COMPARED, MAX_VALUES } from '../instrument-overlays.ts';
import { get, post, signedInAs } from '../session.ts';
import { t } from '../text.ts';
import type { OwnStrategies, RuleCheck, SymbolSearch } from '../types.ts';
import { type Suggested, SymbolSearchField } from './symbol-search.ts';

/** Values begin with the name of a function or of a figure, in lower case; symbols are typed in upper case. */
const isSymbol = (text: string) => /^[A-Z0-9][A-Z0-9.-]*$/.test(text);
/** The most items of a kind in the list. */
const MATCHES = 5;

/** Completes functions with their help, symbols with their names, and own strategies. */
@customElement('line-search')
export class LineSearch extends SymbolSearchField {
  protected override async read(q: string, signal: AbortSignal): Promise<Suggested[]> {
    const isSigned = signedInAs() !== null;
    const [{ completions }, { items: symbols }, mine] = await Promise.all([
      post<RuleCheck>('/v1/rules/check', { text: q, part: 'value', cursor: q.length }, { signal }),
      get<SymbolSearch>('/v1/symbols', { query: { q, limit: MATCHES }, signal }),
      isSigned ? get<OwnStrategies>('/v1/my/strategies', { query: { size: 100 }, signal }) : null,
    ]);
    const { from, to } = completions.position;
    // Signs have no help, and where no word has begun anything could follow.
    const choices = completions.choices.filter(({ description }) => description !== '' && to > from);
    const values = choices.slice(0, MATCHES).map(({ text, usage, description }) => ({
      kind: 'value' as const,
      symbol: q.slice(0, from) + text,
      name: `${usage} · ${description}`,
    }));
    const named = (mine?.items ?? []).filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
    const own = named
      .slice(0, MATCHES)
      .map(({ id, name }) => ({ id, kind: 'strategy' as const, symbol: name, name: t('symbol.own_strategy') }));
    return isSymbol(q) ? [...symbols, ...own, ...values] : [...values, ...own, ...symbols];
  }

  /** A function is written into the field, where its argument can be changed; anything else is taken. */
  protected override choose(item: Suggested): void {
    super.choose(item);
    if (item.kind !== 'value') return;
    const field = find(this, 'input', HTMLInputElement);
    this.value = item.symbol;
    field.value = item.symbol;
    const [argument] = /(?<=\()[^,()]+(?=[,)][^(]*$)/.exec(item.symbol) ?? [];
    if (argument !== undefined)
      field.setSelectionRange(item.symbol.lastIndexOf(argument), item.symbol.lastIndexOf(argument) + argument.length);
  }
}

/** Fires `lines` with all values and compared symbols, and `strategy` with an own one, or null. */
@customElement('chart-lines')
export class ChartLines extends SiteElement {
  @property({ attribute: false }) values: readonly string[] = [];
  @property({ attribute: false }) compared: readonly string[] = [];
  /** The name of the strategy whose trades are marked. */
  @property({ attribute: false }) strategy: string | null = null;

  private emit(values: readonly string[], compared: readonly string[]): void {
    this.dispatchEvent(new CustomEvent('lines', { detail: { values, compared } }));
  }

  private emitStrategy(detail: number | null): void {
    this.dispatchEvent(new CustomEvent('strategy', { detail }));
  }

  private compare(symbol: string): void {
    this.emit(this.values, [...new Set([...this.compared, symbol])].slice(-MAX_COMPARED));
  }

  private readonly add = (event: SubmitEvent) => {
    event.preventDefault();
    const text = textIn(fieldsOf(event), 'line');
    if (text === '') return;
    find(targetOf(event, HTMLFormElement), 'line-search', LineSearch).value = '';
    if (isSymbol(text)) this.compare(text);
    else this.emit([...new Set([...this.values, text])].slice(-MAX_VALUES), this.compared);
  };

  private readonly choose = ({ detail: { kind, id = 0, symbol } }: CustomEvent<Suggested>) => {
    if (kind === undefined) this.compare(symbol);
    else if (kind === 'strategy') this.emitStrategy(id);
  };

  override render() {
    const { values, compared, strategy } = this;
    return html`<form @submit=${this.add}>
        <line-search isPicker name="line" label=${t('symbol.add_line')} placeholder=${t('symbol.add_line.example')} @choose=${this.choose}></line-search>
      </form>
      <div class="chips">
        ${values.map((value, i) => this.chip(value, `key of-${lineColor(i)}`, () => this.emit(values.toSpliced(i, 1), compared)))}
        ${compared.map((symbol, i) => this.chip(t('symbol.against', { symbol }), `key of-${lineColor(values.length + i)}`, () => this.emit(values, compared.toSpliced(i, 1))))}
        ${strategy === null ? nothing : this.chip(t('symbol.trades_of', { name: strategy }), 'mark up', () => this.emitStrategy(null))}
      </div>`;
  }

  private chip(text: string, key: string, remove: () => void) {
    return html`<span class="chip"><i class=${key}></i><code>${text}</code>
      <button class="quiet" @click=${remove} aria-label=${t('symbol.remove_line', { line: text })}>×</button></span>`;
  }
}
