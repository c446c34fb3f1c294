/** The market as files: what there is, and the lines with which engines read it. */
import './code-samples.ts';
import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { SiteElement } from '../dom.ts';
import { saveBlob } from '../download.ts';
import { Load } from '../load.ts';
import { get, sendAsReader } from '../session.ts';
import { inlineFailure } from '../states.ts';
import { day, fileSize, localTime, t } from '../text.ts';
import type { MarketFiles } from '../types.ts';
import { type Column, numberColumn } from './data-table.ts';

type MarketFile = MarketFiles['files'][number];

@customElement('market-files')
export class MarketFilesList extends SiteElement {
  /** The error of the last download. */
  @state() failed: unknown = null;
  private readonly files = new Load(this, () => get<MarketFiles>('/v1/files'));

  private async download({ path }: MarketFile): Promise<void> {
    this.failed = null;
    try {
      await saveBlob(await sendAsReader('GET', `/v1/files/${path}`));
    } catch (error) {
      this.failed = error;
    }
  }

  override render() {
    return this.files.render((files) => this.content(files));
  }

  private content({ newest_session: newest, written_at: written, bytes, files }: MarketFiles) {
    const about = { count: files.length, size: fileSize(bytes), session: day(newest), at: localTime(written) };
    return html`<p class="muted">${t('files.about', about)}</p>
      ${inlineFailure(this.failed)}
      <data-table class="files-table" .columns=${this.columns()} .rows=${files} caption=${t('files.title')}></data-table>
      <code-samples topic="files" .samples=${samplesOf(newest.slice(0, 4))}></code-samples>`;
  }

  private columns(): Column<MarketFile>[] {
    return [
      {
        key: 'path',
        title: t('files.path'),
        value: ({ path }) => path,
        cell: ({ path }) => html`<code>${path}</code>`,
      },
      numberColumn('rows', t('data.rows'), ({ rows }) => rows),
      numberColumn('bytes', t('data.size'), ({ bytes }) => bytes, fileSize),
      {
        key: 'sha256',
        title: 'SHA-256',
        cell: ({ sha256 }) => html`<code title=${sha256}>${sha256.slice(0, 12)}…</code>`,
      },
      {
        key: 'download',
        title: t('files.download'),
        cell: (file) =>
          html`<button class="quiet" aria-label=${t('files.download.one', { path: file.path })} @click=${() => this.download(file)}>${t('files.download')}</button>`,
      },
    ];
  }
}

/** The average volume of each symbol, by engine. */
function samplesOf(year: string): readonly (readonly [string, string])[] {
  const path = `daily_bars/venue_mode=consolidated/year=${year}/part-0.parquet`;
  const file = `${location.origin}/v1/files/${path}`;
  const bucket = 's3://BUCKET/lake/v1/daily_bars';
  return [
    ['curl', `curl -H "X-API-Key: $KEY" -C - --create-dirs -o ${path} \\\n  ${file}`],
    [
      'DuckDB',
      `create secret (type http, extra_http_headers map {'X-API-Key': 'md_…'});\nselect symbol, avg(volume)\nfrom read_parquet('${file}')\ngroup by symbol;`,
    ],
    [
      'polars',
      `import polars as pl\nbars = pl.scan_parquet("${bucket}/", hive_partitioning=True)\nbars.filter(year=${year}, venue_mode="consolidated").group_by("symbol").agg(pl.col("volume").mean()).collect()`,
    ],
    [
      'Spark',
      `bars = spark.read.parquet("${bucket.replace('s3:', 's3a:')}")\nbars.where("year = ${year} and venue_mode = 'consolidated'").groupBy("symbol").avg("volume").show()`,
    ],
    [
      'Trino',
      `call hive.system.sync_partition_metadata('market', 'daily_bars', 'FULL');\nselect symbol, avg(volume) from hive.market.daily_bars\nwhere year = ${year} and venue_mode = 'consolidated' group by 1;`,
    ],
    [
      'Athena',
      `msck repair table daily_bars;\nselect symbol, avg(volume) from daily_bars\nwhere year = ${year} and venue_mode = 'consolidated' group by 1;`,
    ],
    [
      'ClickHouse',
      `set use_hive_partitioning = 1;\nselect symbol, avg(volume)\nfrom s3('https://BUCKET.s3.amazonaws.com/lake/v1/daily_bars/*/*/*.parquet', 'KEY', 'SECRET', 'Parquet')\nwhere year = ${year} and venue_mode = 'consolidated' group by symbol;`,
    ],
  ];
}
