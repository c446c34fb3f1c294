/** A table of the market: what each load changed in it, and its columns. */
import '../market/up-down-bars.ts';
import { customElement, property } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { compact, fileSize, listed, localTime, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import type { MarketTable } from '../types.ts';
import { type Column, numberColumn, textColumn } from './data-table.ts';

type Snapshot = MarketTable['newest_snapshots'][number];
type TableColumn = MarketTable['columns'][number];

@customElement('table-detail')
export class TableDetail extends SiteElement {
  @property() name!: string;
  private readonly table = new Load(this, () => get<MarketTable>(path('/v1/tables/{name}', { name: this.name })), {
    of: () => this.name,
  });

  override render() {
    return this.table.render(content);
  }
}

function content(table: MarketTable) {
  const { name, partitions, sort, columns, newest_snapshots: snapshots, snapshots: kept } = table;
  const count = snapshots.length < kept ? t('data.snapshots.newest', { shown: snapshots.length, total: kept }) : '';
  return html`<div class="table-detail">
    <section>
      <h2><code>${name}</code></h2>
      <p class="muted">${[shapeText(partitions, sort), t('data.snapshots.text'), count].join(wordSpace)}</p>
      ${timeline(snapshots)}
      <data-table .columns=${SNAPSHOT_COLUMNS} .rows=${snapshots} caption=${t('data.snapshots.of', { name })}></data-table>
    </section>
    <section class="table-columns">
      <h2>${t('data.columns', { count: columns.length })}</h2>
      <data-table .columns=${COLUMN_COLUMNS} .rows=${columns} caption=${t('data.columns.of', { name })}></data-table>
    </section>
  </div>`;
}

function shapeText(partitions: readonly string[], sort: readonly string[]): string {
  const sorted = listed(sort);
  return partitions.length === 0
    ? t('data.shape.one', { sort: sorted })
    : t('data.shape', { partitions: listed(partitions), sort: sorted });
}

/** Fewer changes are read faster in the list. */
const FEWEST_DRAWN = 5;

/** The changes of the loads after the first, which wrote everything. */
function timeline(snapshots: readonly Snapshot[]) {
  const changes = snapshots.filter(({ rows, rows_added: added }) => added < rows).toReversed();
  if (changes.length < FEWEST_DRAWN) return nothing;
  return html`<up-down-bars
    .days=${changes.map(({ committed_at: at, rows_added, rows_removed }) => ({ date: at, up: rows_added, down: rows_removed }))}
    .label=${t('data.timeline')}
    .upText=${(count: number) => t('data.timeline.added', { count })}
    .downText=${(count: number) => t('data.timeline.removed', { count })}
  ></up-down-bars>`;
}

const signedCount = (sign: string) => (count: number) => (count === 0 ? '0' : `${sign}${compact(count)}`);
const toneOf = (tone: string) => (count: number) => (count === 0 ? 'muted' : tone);

const SNAPSHOT_COLUMNS: readonly Column<Snapshot>[] = [
  textColumn('at', t('data.snapshot.at'), ({ committed_at }) => committed_at, localTime),
  {
    key: 'tags',
    title: t('data.snapshot.tags'),
    cell: ({ tags }) => tags.map((tag) => html`<code class="tag">${tag}</code> `),
  },
  numberColumn('added', t('data.snapshot.added'), ({ rows_added }) => rows_added, signedCount('+'), toneOf('gain')),
  numberColumn('removed', t('data.snapshot.removed'), (one) => one.rows_removed, signedCount('−'), toneOf('loss')),
  numberColumn('rows', t('data.rows'), ({ rows }) => rows),
  numberColumn('bytes', t('data.size'), ({ bytes }) => bytes, fileSize),
  { key: 'id', title: t('data.snapshot.id'), cell: ({ snapshot_id: id }) => html`<code>${String(id)}</code>` },
];

const COLUMN_COLUMNS: readonly Column<TableColumn>[] = [
  { key: 'name', title: t('data.column'), cell: ({ name }) => html`<code>${name}</code>` },
  {
    key: 'type',
    title: t('data.type'),
    cell: ({ type, required }) =>
      html`<code>${type}</code>${required ? nothing : html` <small class="muted">${t('data.optional')}</small>`}`,
  },
];
