/** The lines of a chart as chips, each with its color, and a field for the next: a value like `sma(50)`, or a symbol to compare with. */
import { customElement, property } from 'lit/decorators.js';
import { fieldsOf, html, SiteElement, targetOf, textIn } from '../dom.ts';
import { lineColor, MAX_COMPARED, MAX_VALUES } from '../instrument-overlays.ts';
import { t } from '../text.ts';

/** Values begin with the name of a function or of a figure, in lower case; symbols are typed in upper case. */
const isSymbol = (text: string) => /^[A-Z0-9][A-Z0-9.-]*$/.test(text);

/** Fires `lines` with all values and compared symbols. */
@customElement('chart-lines')
export class ChartLines extends SiteElement {
  @property({ attribute: false }) values: readonly string[] = [];
  @property({ attribute: false }) compared: readonly string[] = [];

  private emit(values: readonly string[], compared: readonly string[]): void {
    this.dispatchEvent(new CustomEvent('lines', { detail: { values, compared } }));
  }

  private readonly add = (event: SubmitEvent) => {
    event.preventDefault();
    const text = textIn(fieldsOf(event), 'line');
    if (text === '') return;
    targetOf(event, HTMLFormElement).reset();
    const { values, compared } = this;
    if (isSymbol(text)) this.emit(values, [...new Set([...compared, text])].slice(-MAX_COMPARED));
    else this.emit([...new Set([...values, text])].slice(-MAX_VALUES), compared);
  };

  override render() {
    const { values, compared } = this;
    return html`<div class="chips">
      ${values.map((value, i) => this.chip(value, i, () => this.emit(values.toSpliced(i, 1), compared)))}
      ${compared.map((symbol, i) => this.chip(t('symbol.against', { symbol }), values.length + i, () => this.emit(values, compared.toSpliced(i, 1))))}
      <form @submit=${this.add}>
        <input name="line" class="mono" placeholder=${t('symbol.add_line.example')} aria-label=${t('symbol.add_line')} autocomplete="off" autocapitalize="none" spellcheck="false" />
      </form>
    </div>`;
  }

  private chip(text: string, place: number, remove: () => void) {
    return html`<span class="chip"><i class=${`key of-${lineColor(place)}`}></i><code>${text}</code>
      <button class="quiet" @click=${remove} aria-label=${t('symbol.remove_line', { line: text })}>×</button></span>`;
  }
}
