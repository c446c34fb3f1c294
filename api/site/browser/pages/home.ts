/** The market at a session: its figures, map, breadth, and movers, and studies that open where they were made. */
import '../shell.ts';
import '../market/studies.ts';
import '../market/market-map.ts';
import '../market/market-movers.ts';
import '../market/up-down-bars.ts';
import { customElement, state } from 'lit/decorators.js';
import { choiceFromAddress, followAddress, fromAddress, toAddress } from '../address.ts';
import { ApiError } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { type Universe, universeInAddress, universeQuery } from '../elements/universe-chip.ts';
import { EXAMPLE_SYMBOLS } from '../examples.ts';
import { pageHead } from '../head.ts';
import { Load } from '../load.ts';
import { MAP_PERIODS, SCREENED_PERIODS } from '../market/market-map.ts';
import { MOVER_MEASURES } from '../market/market-movers.ts';
import { get, signedInAs, signIn } from '../session.ts';
import { failure } from '../states.ts';
import {
  compact,
  day,
  dayInMonth,
  fixed,
  listed,
  longDay,
  percent,
  signed,
  signedPercent,
  t,
  textOr,
  tone,
} from '../text.ts';
import type { MarketOverview, Meta } from '../types.ts';

interface Market {
  readonly meta: Meta;
  /** Null: there is none yet. */
  readonly overview: MarketOverview | null;
}

const POLL_MS = 3_000;

@customElement('home-page')
export class HomePage extends SiteElement {
  @state() asOf = fromAddress('as_of');
  /** The universe of the map. */
  @state() universe = universeInAddress();
  // Polled while the market is loading.
  private readonly market: Load<Market> = new Load(this, () => readMarket(this.asOf), {
    use: (market) => {
      if (isLoading(market.meta) || isBehind(market)) setTimeout(this.market.reload, POLL_MS);
    },
  });

  private readonly mapped = new Load(
    this,
    async () =>
      this.universe.kind === '' ? [] : (await import('../market/mapped-items.ts')).readMapped(this.universe, this.asOf),
    {
      of: () => JSON.stringify([this.universe, this.asOf]),
    },
  );

  constructor() {
    super();
    followAddress(this, () => {
      this.universe = universeInAddress();
      return this.show(fromAddress('as_of'));
    });
  }

  private readonly changeUniverse = ({ detail }: CustomEvent<Universe>) => {
    this.universe = detail;
    toAddress(universeQuery(detail));
  };

  override render() {
    const { result } = this.market;
    const market = result.state === 'loaded' ? result.value : null;
    const overview = market?.overview ?? null;
    const isGuest = signedInAs() === null;
    return html`${pageHead(t('home.title'), { about: overview ? longDay(overview.as_of) : '\u00a0', actions: html`${this.actions(market)}${isGuest ? html`<button class="primary" @click=${enter}>${t('sign_in.title')}</button>` : nothing}` })}
      ${isGuest ? html`<p class="home-lead">${t('home.lead')}</p>` : nothing}
      ${result.state === 'failed' ? failure(result.error, this.market.reload) : nothing}
      ${market && !overview ? notices(market) : nothing}
      ${figures(overview)}
      <div class="home">
        <section class="home-map">
          ${this.map(overview)}
        </section>
        <div class="home-notes">${market && overview ? notices(market) : nothing}</div>
        <div class="home-side">
          <up-down-bars
            months
            .days=${overview?.days.map(({ date, rising, falling }) => ({ date, up: rising, down: falling })) ?? []}
            .label=${t('home.breadth')}
            .upText=${(count: number) => t('home.breadth.rising', { count })}
            .downText=${(count: number) => t('home.breadth.falling', { count })}
          ></up-down-bars>
          <up-down-bars
            .days=${overview?.days.map(({ date, new_highs, new_lows }) => ({ date, up: new_highs, down: new_lows })) ?? []}
            .label=${t('home.highs')}
            .upText=${(count: number) => t('home.highs.up', { count })}
            .downText=${(count: number) => t('home.highs.down', { count })}
          ></up-down-bars>
          <market-movers
            .movers=${overview?.movers ?? null}
            .measure=${choiceFromAddress('movers', MOVER_MEASURES)}
          ></market-movers>
        </div>
        <section class="studies" aria-label=${t('home.studies')}>${studies()}</section>
      </div>
      ${links()}`;
  }

  private map(overview: MarketOverview | null) {
    const { universe } = this;
    const isOwn = universe.kind !== '';
    const items = isOwn ? this.mapped.value : (overview?.universe ?? null);
    const failed = isOwn && this.mapped.result.state === 'failed' ? this.mapped.result.error : null;
    const periods = isOwn ? SCREENED_PERIODS : MAP_PERIODS;
    return html`<market-map
        .items=${items ?? []}
        .periods=${periods}
        .period=${choiceFromAddress('period', periods)}
        .universe=${universe}
        @universe=${this.changeUniverse}
      ></market-map>
      ${failed === null ? nothing : failure(failed, this.mapped.reload)}`;
  }

  private actions(market: Market | null) {
    const overview = market?.overview;
    if (!market || !overview) return noSteps();
    const step = (asOf: string | null) => (event: Event) => {
      event.preventDefault();
      toAddress({ as_of: asOf });
      void this.show(asOf);
    };
    const { previous_session: before, next_session: after } = overview;
    return html`${market.meta.data_source.synthetic ? html`<span class="muted small">${t('home.synthetic')}</span>` : nothing}
      ${before === null ? nothing : html`<a class="button" href=${`/?as_of=${before}`} aria-label=${t('home.before', { day: day(before) })} @click=${step(before)}>‹ ${dayInMonth(before)}</a>`}
      ${after === null ? html`<span class="button" aria-disabled="true">${t('home.newest')}</span>` : html`<a class="button" href="/" @click=${step(null)}>${t('home.newest')}</a>`}`;
  }

  private show(asOf: string | null): Promise<void> {
    this.asOf = asOf;
    return this.market.reload();
  }
}

const enter = async () => {
  if (await signIn()) location.reload();
};

async function readMarket(asOf: string | null): Promise<Market> {
  const [meta, overview] = await Promise.all([
    get<Meta>('/api/meta'),
    get<MarketOverview>('/v1/market/overview', { query: { as_of: asOf } }).catch(notYet),
  ]);
  return { meta, overview };
}

/** There is no overview before the first load is done. */
function notYet(error: unknown): null {
  if (error instanceof ApiError && error.key === 'error.snapshot_unavailable') return null;
  throw error;
}

const isLoading = ({ loading, timeliness }: Meta) => loading.length > 0 || timeliness.max_date === null;

/** Whether the newest session is loaded and its overview not made yet. */
function isBehind({ meta: { timeliness }, overview }: Market): boolean {
  if (timeliness.max_date === null) return false;
  return overview === null || (overview.next_session === null && overview.as_of < timeliness.max_date);
}

/** In the place of the steps until they are known, so that the head keeps its height. */
const noSteps = () =>
  html`<span class="button" aria-disabled="true">‹ …</span><span class="button" aria-disabled="true">${t('home.newest')}</span>`;

/** How far the market is loaded, and what is missing; nothing where all is there. */
function notices(market: Market) {
  const { meta, overview } = market;
  const missing = overview?.missing_sessions;
  return html`${isLoading(meta) ? loadingNotice(meta) : nothing}
    ${!isLoading(meta) && isBehind(market) ? html`<p class="notice" role="status">${t('home.behind', { day: day(meta.timeliness.max_date) })}</p>` : nothing}
    ${
      missing && missing.count > 0
        ? html`<p class="notice warning" role="status">${t('home.missing', {
            count: missing.count,
            days: listed(
              missing.ranges.map(({ start, end }) => (start === end ? day(start) : `${day(start)} – ${day(end)}`)),
            ),
          })}</p>`
        : nothing
    }
    ${overview && overview.without_bar > 0 ? html`<p class="small muted">${t('home.without_bar', { count: overview.without_bar, all: overview.counted + overview.without_bar })}</p>` : nothing}`;
}

function loadingNotice(meta: Meta) {
  const parts = meta.loading.map(({ basis, progress_pct }) =>
    t('state.market_loading.of', { basis: textOr(`venue_basis.${basis}`, basis), percent: Math.floor(progress_pct) }),
  );
  return html`<div class="notice" role="status">
    <p><b>${t('state.market_loading')}</b> ${parts.join(' · ')}</p>
    <p>${meta.timeliness.max_date === null ? t('home.nothing_loaded') : t('state.market_loading.text')}</p>
  </div>`;
}

/** The six figures; dashes until they are there, so that nothing moves. */
function figures(overview: MarketOverview | null) {
  const found = overview?.figures;
  const figure = (title: string, value: string, text: string, className = '') =>
    html`<div><dt>${title}</dt><dd class=${className}><span>${value}</span><small>${text || '\u00a0'}</small></dd></div>`;
  const pair = (up: number | undefined, down: number | undefined) =>
    up === undefined || down === undefined ? '…' : `${fixed(up, 0)} / ${fixed(down, 0)}`;
  return html`<dl class="figures home-figures" aria-busy=${overview === null}>
    ${figure(
      t('home.median'),
      found ? signedPercent(found.median_return_pct) : '…',
      found ? t('home.median.week', { percent: signedPercent(found.median_return_1w_pct) }) : '',
      tone(found?.median_return_pct),
    )}
    ${figure(t('home.rising_falling'), pair(found?.rising, found?.falling), found ? t('home.unchanged', { count: found.unchanged }) : '')}
    ${figure(t('home.highs_lows'), pair(found?.new_highs, found?.new_lows), overview ? highsText(overview) : '')}
    ${figure(
      t('home.above_sma'),
      found ? percent(found.above_sma_200_pct, 1) : '…',
      found ? t('home.above_sma.change', { points: signed(found.above_sma_200_change, 1) }) : '',
    )}
    ${figure(
      t('home.dollar_volume'),
      found ? `$${compact(found.dollar_volume)}` : '…',
      found ? againstMean(found.dollar_volume_vs_mean_pct) : '',
    )}
    ${figure(
      t('home.dispersion'),
      found ? percent(found.dispersion_pct) : '…',
      found && found.dispersion_percentile !== null
        ? t('home.dispersion.rank', { rank: found.dispersion_percentile })
        : '',
    )}
  </dl>`;
}

/** Since when there were not as many new highs. */
function highsText({ days, figures: { new_highs } }: MarketOverview): string {
  const yesterday = days.at(-2);
  if (yesterday && yesterday.new_highs >= new_highs) {
    return t('home.highs.before', { highs: yesterday.new_highs, lows: yesterday.new_lows });
  }
  const before = days.findLast((one, i) => i < days.length - 1 && one.new_highs >= new_highs);
  return before
    ? t('home.highs.since', { day: dayInMonth(before.date) })
    : t('home.highs.most', { count: days.length });
}

function againstMean(value: number | null): string {
  if (value === null) return '';
  return t(value < 0 ? 'home.dollar_volume.below' : 'home.dollar_volume.above', {
    percent: percent(Math.abs(value), 1),
  });
}

function studies() {
  const [symbol] = EXAMPLE_SYMBOLS;
  if (symbol === undefined) return nothing;
  return html`<price-study .symbol=${symbol}></price-study><equity-study></equity-study><screen-study></screen-study>`;
}

function links() {
  const [symbol] = EXAMPLE_SYMBOLS;
  return html`<section class="home-links">
    <p class="row">
      <a href="/truth">${t('home.truth')}</a>
      <a href="/verdicts">${t('sheet.rules')}</a>
      <a href="/docs">${t('home.programs.docs')}</a>
      <a href="/clients">${t('home.programs.clients')}</a>
      <a href="/openapi.json">${t('home.programs.openapi')}</a>
    </p>
    ${symbol === undefined ? nothing : html`<pre><code>curl ${location.origin}/v1/quote/${symbol}</code></pre>`}
  </section>`;
}
