/** The market columns in percent a year that the reader may name as a rate. */
import { customElement } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { readableColumns } from '../session.ts';
import { t } from '../tool-text.ts';

/** The id of the list. */
export const RATES = 'rate-columns';
const UNIT = 'percent_per_year';

@customElement('rate-list')
export class RateList extends SiteElement {
  private readonly columns = new Load(this, readableColumns);

  override render() {
    const rates = this.columns.value?.filter(({ market, unit }) => market && unit === UNIT) ?? [];
    return html`<datalist id=${RATES}>${rates.map(({ name }) => html`<option value=${name}></option>`)}</datalist>
      <p class="muted small">${t('form.rate.hint')} <a href="/columns">${t('nav.columns')}</a></p>`;
  }
}
