/** Home page: the service, how far the market is loaded, and three examples that work on it. */
import '../shell.ts';
import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { Load } from '../load.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { day, number, t, textOr } from '../text.ts';
import type { Meta, Stats, SymbolItem, SymbolSearch } from '../types.ts';

interface Market {
  readonly meta: Meta;
  readonly stats: Stats;
  readonly popular: readonly SymbolItem[];
}

const POLL_MS = 3_000;

@customElement('home-page')
export class HomePage extends SiteElement {
  // Polled while the market is loading.
  private readonly market = new Load(this, readMarket, ({ meta }) => {
    if (isLoading(meta)) setTimeout(this.market.reload, POLL_MS);
  });

  override render() {
    return html`${pageHead(t('home.title'))}
      <p class="lead">${t('home.lead')}</p>
      <p><a href="/truth">${t('home.truth')}</a></p>
      <section aria-labelledby="market">
        <h2 id="market">${t('home.market')}</h2>
        ${this.state()}
      </section>
      <section aria-labelledby="examples">
        <h2 id="examples">${t('home.examples')}</h2>
        ${this.examples()}
      </section>
      <section aria-labelledby="programs">
        <h2 id="programs">${t('home.programs')}</h2>
        <p>${t('home.programs.text')}</p>
        <p class="row"><a href="/docs">${t('home.programs.docs')}</a><a href="/clients">${t('home.programs.clients')}</a><a href="/openapi.json">${t('home.programs.openapi')}</a></p>
        <pre><code>curl ${location.origin}/v1/quote/${this.exampleSymbol()}</code></pre>
      </section>`;
  }

  private state() {
    const { result } = this.market;
    if (result.state === 'failed') return failure(result.error, this.market.reload);
    const value = result.state === 'loaded' ? result.value : null;
    return html`${value ? loadingNotice(value.meta) : nothing}
      <dl class="figures" aria-busy=${value === null}>
        <div><dt>${t('home.as_of')}</dt><dd>${value ? day(value.meta.timeliness.max_date) : '…'}</dd></div>
        <div>
          <dt>${t('home.symbols')}</dt>
          <dd>${value ? number(value.stats.symbols) : '…'}</dd>
        </div>
        <div><dt>${t('home.delisted')}</dt><dd>${value ? number(value.stats.delisted_symbols) : '…'}</dd></div>
        <div><dt>${t('home.bars')}</dt><dd>${value ? number(value.stats.daily_bars) : '…'}</dd></div>
        <div><dt>${t('home.since')}</dt><dd>${value ? day(value.stats.first_date) : '…'}</dd></div>
      </dl>
      <p class="muted">${value?.meta.data_source.synthetic ? t('home.synthetic') : (value?.meta.data_source.description ?? '\u00a0')}</p>`;
  }

  private exampleSymbol(): string {
    return this.popular()[0]?.symbol ?? '…';
  }

  private popular(): readonly SymbolItem[] {
    return this.market.result.state === 'loaded' ? this.market.result.value.popular : [];
  }

  private examples() {
    const [first, second] = this.popular();
    const symbol = first?.symbol ?? '…';
    const other = (second ?? first)?.symbol ?? '…';
    return html`<ol class="examples">
      <li>
        <a href=${`/s/${symbol}`}>${t('home.example.chart', { symbol })}</a>
        <p>${t('home.example.chart.text', { name: first?.name ?? symbol })}</p>
      </li>
      <li>
        <a href=${`/backtest?symbol=${other}&strategy=sma_cross&time_range=3Y&run=1`}>${t('home.example.backtest', { symbol: other })}</a>
        <p>${t('home.example.backtest.text')}</p>
      </li>
      <li>
        <a href="/screener?preset=trend_breakout">${t('home.example.screen')}</a>
        <p>${t('home.example.screen.text')}</p>
      </li>
    </ol>`;
  }
}

async function readMarket(): Promise<Market> {
  const [meta, stats, { items: popular }] = await Promise.all([
    get<Meta>('/api/meta'),
    get<Stats>('/api/stats'),
    get<SymbolSearch>('/v1/symbols', { query: { limit: 3 } }),
  ]);
  return { meta, stats, popular };
}

const isLoading = ({ loading, timeliness }: Meta) => loading.length > 0 || timeliness.max_date === null;

/** How far the market is loaded; nothing once it is there. */
function loadingNotice(meta: Meta) {
  if (!isLoading(meta)) return nothing;
  const parts = meta.loading.map(({ basis, progress_pct }) =>
    t('state.market_loading.of', { basis: textOr(`venue_basis.${basis}`, basis), percent: Math.floor(progress_pct) }),
  );
  return html`<div class="notice" role="status">
    <p><b>${t('state.market_loading')}</b> ${parts.join(' · ')}</p>
    <p>${meta.timeliness.max_date === null ? t('home.nothing_loaded') : t('state.market_loading.text')}</p>
  </div>`;
}
