/** A list of the back office: filters and the page in the address, a table, and states. */
import type { ReactiveControllerHost, TemplateResult } from 'lit';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import { pageFromAddress, paging } from '../controls.ts';
import { fieldsOf, html, textIn } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { t } from '../tool-text.ts';
import type { Listed } from '../types.ts';
import './data-table.ts';
import type { Column } from './data-table.ts';

/** A field of the query. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly type: 'search' | 'date' | 'select';
  /** The options of a select, with their texts. */
  readonly values?: readonly (readonly [string, string])[];
  /** The label of no choice; default: all. */
  readonly otherwise?: string;
}

/** A choice of one of some codes. */
export function codeFilter<Code extends string>(
  name: string,
  label: string,
  codes: readonly Code[],
  textOf: (code: Code) => string,
  otherwise?: string,
): Filter {
  return { name, label, type: 'select', values: codes.map((code) => [code, textOf(code)]), otherwise };
}

const SIZE = 50;

interface Parts<Item> {
  /** Address of the list in the API. */
  readonly source: string;
  readonly filters: () => readonly Filter[];
  readonly columns: () => readonly Column<Item>[];
  /** Says that nothing matches. */
  readonly empty: string | TemplateResult;
  /** Called with what was loaded. */
  readonly use?: (list: Listed<Item>) => unknown;
}

export class FilteredList<Item> {
  private readonly parts: Parts<Item>;
  private readonly list: Load<Listed<Item>>;

  constructor(host: ReactiveControllerHost, parts: Parts<Item>) {
    this.parts = parts;
    this.list = new Load(host, () => this.read(), { use: parts.use });
    followAddress(host, () => {
      host.requestUpdate();
      void this.load();
    });
  }

  private read(): Promise<Listed<Item>> {
    const { source, filters } = this.parts;
    const values = Object.fromEntries(filters().map(({ name }) => [name, fromAddress(name)]));
    return get<Listed<Item>>(source, { query: { ...values, page: pageFromAddress(), size: SIZE } });
  }

  readonly load = (): Promise<void> => this.list.reload();

  private readonly filter = (event: Event) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const values = this.parts.filters().map(({ name }) => [name, textIn(given, name)] as const);
    // Enter in a changed field is both a change and a submission.
    if (pageFromAddress() === 1 && values.every(([name, value]) => value === (fromAddress(name) ?? ''))) return;
    toAddress({ ...Object.fromEntries(values), page: null });
    void this.load();
  };

  private readonly goTo = (page: number) => {
    toAddress({ page: page === 1 ? null : String(page) });
    void this.load();
  };

  form() {
    return html`<form class="fields" role="search" @submit=${this.filter} @change=${this.filter}>
      ${this.parts.filters().map((filter) => filterField(filter, fromAddress(filter.name) ?? ''))}
    </form>`;
  }

  table(caption: string) {
    const { columns, empty } = this.parts;
    return this.list.render(
      (
        list,
      ) => html`<data-table .columns=${columns()} .rows=${list.items} .caption=${caption} .empty=${typeof empty === 'string' ? html`<p class="muted">${empty}</p>` : empty}></data-table>
        ${paging(list, this.goTo)}`,
    );
  }
}

export function filterField({ name, label, type, values = [], otherwise = t('filter.all') }: Filter, given: string) {
  if (type !== 'select') {
    return html`<label class="field"><span>${label}</span><input type=${type} name=${name} .value=${given} maxlength="120" autocomplete="off" /></label>`;
  }
  return html`<label class="field"><span>${label}</span>
    <select name=${name}>
      <option value="">${otherwise}</option>
      ${values.map(([value, text]) => html`<option value=${value} .selected=${value === given}>${text}</option>`)}
    </select></label>`;
}
