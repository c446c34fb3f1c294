/** A column of membership: of numbers, where members have 1, or of labels, one of which they have. Fires `member` with its rule. */
import { customElement, property, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { memberIn, memberRule } from '../member-rule.ts';
import { get, readableColumns } from '../session.ts';
import { t } from '../tool-text.ts';
import type { ColumnDetail, OwnColumn } from '../types.ts';

@customElement('column-choice')
export class ColumnChoice extends SiteElement {
  /** The chosen condition; empty: none. */
  @property() rule = '';
  @state() column = '';
  @state() label: string | undefined;
  private readonly columns = new Load(this, async () => (await readableColumns()).filter(({ market }) => !market));
  private readonly labels = new Load(this, () => this.readLabels(), {
    of: () => this.chosen?.kind === 'label' && this.column,
  });

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('rule')) ({ column: this.column = '', label: this.label } = memberIn(this.rule));
  }

  private get chosen(): OwnColumn | undefined {
    return this.columns.value?.find(({ name }) => name === this.column);
  }

  private async readLabels(): Promise<readonly string[]> {
    if (this.chosen?.kind !== 'label') return [];
    const { labels } = await get<ColumnDetail>(path('/v1/my/columns/{name}', { name: this.column }));
    return labels.filter((label) => !/['"]/.test(label));
  }

  private choose(rule: string): void {
    this.dispatchEvent(new CustomEvent('member', { detail: rule }));
  }

  private readonly chooseColumn = (event: Event) => {
    this.column = fieldValue(event);
    this.label = undefined;
    if (this.chosen?.kind === 'number') this.choose(memberRule(this.column));
  };

  private readonly chooseLabel = (event: Event) => {
    this.label = fieldValue(event);
    this.choose(memberRule(this.column, this.label));
  };

  override render() {
    return this.columns.render((columns) => this.content(columns));
  }

  private content(columns: readonly OwnColumn[]) {
    if (columns.length === 0) return html`<a href="/columns">${t('columns.first')}</a>`;
    const names = columns.map(({ name }) => name);
    return html`${select('member_column', t('universe.column.name'), names, this.column, this.chooseColumn)}
      ${this.chosen?.kind === 'label' ? select('member_label', t('universe.column.label'), this.labels.value ?? [], this.label, this.chooseLabel) : nothing}`;
  }
}

/** The choice of a column beside those of a universe. `choose` gets the condition of membership. */
export function columnMember(where: string, choose: (event: CustomEvent<string>) => void) {
  const { rule } = memberIn(where);
  return { rule, fields: html`<column-choice .rule=${rule} @member=${choose}></column-choice>` };
}

function select(
  name: string,
  label: string,
  codes: readonly string[],
  chosen: string | undefined,
  onChange: (event: Event) => void,
) {
  const isKnown = codes.some((code) => code === chosen);
  return html`<select name=${name} required aria-label=${label} @change=${onChange}>
    <option value="" disabled ?selected=${!isKnown}>${label}</option>
    ${codes.map((code) => html`<option value=${code} ?selected=${code === chosen}>${code}</option>`)}
  </select>`;
}
