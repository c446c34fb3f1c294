/** A page of the back office that lists something: filters and the page in the address, a table, and states. */

import { html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import type { Listed } from '../back-office-types.ts';
import { fieldsOf } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { pageFromAddress, paging } from '../paging.ts';
import { get } from '../session.ts';
import { failure, LOADING, type Loaded, loading, outcome } from '../states.ts';
import { t } from '../text.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';

/** A field of the query. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly type: 'search' | 'date' | 'select';
  /** The options of a select, with their texts. */
  readonly values?: readonly (readonly [string, string])[];
  /** The choice when none of them is chosen; all, unless given. */
  readonly otherwise?: string;
}

const SIZE = 50;

export abstract class FilteredList<Item> extends SiteElement {
  @state() list: Loaded<Listed<Item>> = LOADING;
  @state() error: unknown = null;
  /** Where the API lists it. */
  protected abstract readonly source: string;

  constructor() {
    super();
    followAddress(this, () => {
      this.requestUpdate();
      this.load();
    });
  }

  protected abstract filters(): readonly Filter[];
  protected abstract columns(): Column<Item>[];
  /** Shown where nothing matches. */
  protected abstract empty(): TemplateResult;

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  /** Parameters of the request besides the filters. */
  protected constants(): Readonly<Record<string, string>> {
    return {};
  }

  protected readonly load = async (): Promise<void> => {
    const { search } = location;
    const filters = Object.fromEntries(this.filters().map(({ name }) => [name, fromAddress(name)]));
    const query = { ...this.constants(), ...filters, page: pageFromAddress(), size: SIZE };
    const list = await outcome(get<Listed<Item>>(this.source, { query }));
    if (search === location.search) this.list = list;
  };

  private readonly filter = (event: Event) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const values = this.filters().map(({ name }) => [name, String(given.get(name) ?? '').trim()] as const);
    // Enter in a changed field is both a change and a submission.
    if (pageFromAddress() === 1 && values.every(([name, value]) => value === (fromAddress(name) ?? ''))) return;
    toAddress({ ...Object.fromEntries(values), page: null });
    this.load();
  };

  private readonly goTo = (page: number) => {
    toAddress({ page: page === 1 ? null : String(page) });
    this.load();
  };

  protected filterForm() {
    return html`<form class="fields" role="search" @submit=${this.filter} @change=${this.filter}>
      ${this.filters().map((filter) => this.field(filter))}
    </form>`;
  }

  private field({ name, label, type, values = [], otherwise = t('filter.all') }: Filter) {
    const given = fromAddress(name) ?? '';
    if (type !== 'select') {
      return html`<label class="field"><span>${label}</span><input type=${type} name=${name} .value=${given} maxlength="120" autocomplete="off" /></label>`;
    }
    return html`<label class="field"><span>${label}</span>
      <select name=${name}>
        <option value="">${otherwise}</option>
        ${values.map(([value, text]) => html`<option value=${value} .selected=${value === given}>${text}</option>`)}
      </select></label>`;
  }

  protected table(caption: string) {
    if (this.list.state === 'loading') return loading();
    if (this.list.state === 'failed') return failure(this.list.error, this.load);
    const { items } = this.list.value;
    return html`<data-table .columns=${this.columns()} .rows=${items} .caption=${caption} .empty=${this.empty()}></data-table>
      ${paging(this.list.value, this.goTo)}`;
  }
}
