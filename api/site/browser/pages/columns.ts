/** Own columns: a file becomes one, with the account of its lines; those that rules may name, and each with its coverage. */
import '../shell.ts';
import '../tool.ts';
import '../elements/column-detail.ts';
import '../elements/column-form.ts';
import '../elements/data-table.ts';
import { customElement, state } from 'lit/decorators.js';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { type Column, codeColumn, numberColumn } from '../elements/data-table.ts';
import { lineAccount } from '../elements/line-account.ts';
import { pageHead } from '../head.ts';
import { Load } from '../load.ts';
import { readableColumns, signedInAs } from '../session.ts';
import { accountNeeded } from '../states.ts';
import { listed, percent, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { OwnColumn, WrittenColumn } from '../types.ts';

const EXAMPLE =
  'symbol,date,known_at,value\nAAPL,2024-12-28,2025-01-31,15116786000\nMSFT,2024-12-31,2025-01-29T16:05:00,7434138859';

@customElement('columns-page')
export class ColumnsPage extends SiteElement {
  @state() chosen = fromAddress('name');
  /** The newest write. */
  @state() written: WrittenColumn | null = null;
  private readonly columns = new Load(this, readableColumns);

  constructor() {
    super();
    followAddress(this, () => {
      this.chosen = fromAddress('name');
    });
  }

  private choose(name: string | null): void {
    this.chosen = name;
    toAddress({ name }, false);
  }

  private readonly onChoose = ({ detail: { name } }: CustomEvent<OwnColumn>) => this.choose(name);

  private readonly onWritten = async ({ detail }: CustomEvent<WrittenColumn>) => {
    this.written = detail;
    await this.columns.reload();
    this.choose(detail.column.name);
  };

  private readonly onDeleted = async () => {
    this.written = null;
    this.choose(null);
    await this.columns.reload();
  };

  override render() {
    const isGuest = signedInAs() === null;
    return html`${pageHead(t('page.columns'), { about: t('columns.about') })}
      <p class="muted">${t('columns.intro')} <a href="/rules">${t('page.rules')}</a></p>
      <details ?open=${isGuest}><summary>${t('columns.example')}</summary><pre><code>${EXAMPLE}</code></pre><p class="muted small">${t('columns.example.text')}</p></details>
      ${isGuest ? accountNeeded(() => this.columns.reload()) : this.content()}`;
  }

  private content() {
    return html`<column-form @written=${this.onWritten}></column-form>
      <div aria-live="polite">${this.written === null ? nothing : lineAccount(this.written)}</div>
      ${this.columns.render((columns) => this.list(columns))}`;
  }

  private list(columns: readonly OwnColumn[]) {
    if (columns.length === 0) return html`<p class="state">${t('columns.none')}</p>`;
    const current = columns.find(({ name }) => name === this.chosen) ?? null;
    return html`<h2>${t('columns.readable')}</h2>
      <data-table class="own-columns" .columns=${LIST} .rows=${columns} .current=${current} caption=${t('columns.readable')} @choose=${this.onChoose}></data-table>
      ${current === null ? html`<p class="muted small">${t('columns.choose')}</p>` : html`<column-detail .name=${current.name} .version=${current.version} @deleted=${this.onDeleted}></column-detail>`}`;
  }
}

function ownerText({ owner, source, license }: OwnColumn): string {
  if (owner === 'account') return t('columns.owner.account');
  return listed([t('columns.owner.everyone'), ...[source, license].filter((text) => text !== null)]);
}

const LIST: readonly Column<OwnColumn>[] = [
  codeColumn('name', t('columns.column'), ({ name }) => name),
  { key: 'owner', title: t('columns.owner'), value: ownerText },
  {
    key: 'kind',
    title: t('columns.kind'),
    isMinor: true,
    value: ({ kind, market }) =>
      listed([textOr(`columns.kind.${kind}`, kind), ...(market ? [t('columns.of_market')] : [])]),
  },
  numberColumn('rows', t('columns.rows'), ({ rows }) => rows),
  {
    ...numberColumn<OwnColumn, number>('symbols', t('columns.symbols.count'), ({ symbols }) => symbols),
    isMinor: true,
  },
  { key: 'first', title: t('columns.first_day'), isMinor: true, value: ({ first_day: day }) => day },
  { key: 'last', title: t('columns.last_day'), value: ({ last_day: day }) => day },
  numberColumn(
    'late',
    t('columns.late.share'),
    ({ known_late_share: share }) => share,
    (share) => percent(share === null ? null : 100 * share, 1),
  ),
  { ...numberColumn<OwnColumn, number>('version', t('columns.version'), ({ version }) => version), isMinor: true },
];
