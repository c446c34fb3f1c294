/** The views of SQL with their columns, beside the editor. A name that is clicked is written into the query. */
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { SiteElement } from '../dom.ts';
import { SQL_SCHEMA, type SqlView } from '../sql-schema.ts';
import { t } from '../tool-text.ts';

/** Views that have several venue bases: their first rows are those of one. */
const OF_A_BASIS = ['bars', 'bars_adjusted', 'sessions'];

const firstRows = (view: string) =>
  `from ${view}${OF_A_BASIS.includes(view) ? ` where venue_mode = 'consolidated'` : ''} limit 20`;

/** Fires `name` with a column or a view that is clicked. */
@customElement('sql-views')
export class SqlViews extends SiteElement {
  private emit(name: string): void {
    this.dispatchEvent(new CustomEvent('name', { detail: name }));
  }

  override render() {
    return html`<h2>${t('sql.schema')}</h2>${SQL_SCHEMA.map((view) => this.view(view))}`;
  }

  private view({ name, columns }: SqlView) {
    const insert = (one: string) => () => this.emit(one);
    return html`<details name="sql-view" ?open=${name === SQL_SCHEMA[0].name}>
      <summary><code>${name}</code></summary>
      <p class="small"><a href=${`/sql?query=${encodeURIComponent(firstRows(name))}`}>${t('sql.views', { view: name })}</a></p>
      <ul>${Object.entries(columns).map(([column, type]) => html`<li><button class="quiet" @click=${insert(column)} aria-label=${t('sql.insert', { name: column })}><code>${column}</code></button><span class="muted small">${t(`sql.type.${type}`)}</span></li>`)}</ul>
    </details>`;
  }
}
