/** A screen of the market: conditions with what each leaves, what passes, and what it did before. Opens with a finished example. */
import '../shell.ts';
import '../tool.ts';
import '../elements/code-samples.ts';
import '../elements/data-table.ts';
import '../elements/screen-builder.ts';
import '../elements/screen-rail.ts';
import '../elements/universe-chip.ts';
import { customElement, state } from 'lit/decorators.js';
import { fromAddress, toAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { EVERYTHING, membersOf, type Universe, universeInAddress, universeQuery } from '../elements/universe-chip.ts';
import { moreActions, pageHead } from '../head.ts';
import { keepList } from '../kept-list.ts';
import { AbortScope, loadForm } from '../load.ts';
import { runJob } from '../run/call.ts';
import { heldSince, PORTFOLIO } from '../run/portfolio.ts';
import { runSamples } from '../samples.ts';
import { medianRows, SCREEN_CLOSES, SCREEN_COLUMNS, screenColumns } from '../screen-table.ts';
import { get } from '../session.ts';
import { accountNeeded, failure, inlineFailure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { day, number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Presets, Screened } from '../types.ts';
import { onceLoaded } from '../workspace.ts';

const SHOWN = 100;
const SCREEN = '/v1/screener';
/** The history of an example may still be computed. */
const AGAIN_MS = 3_000;
const TRIES = 20;

type Hit = Screened['items'][number];

@customElement('screener-page')
export class ScreenerPage extends SiteElement {
  /** The rule; empty: every instrument. */
  @state() where = '';
  /** The ready-made screen that is shown; null: one of the reader's own. */
  @state() preset: string | null = null;
  /** YYYY-MM-DD of a past session; empty: the newest one. */
  @state() asOf = '';
  @state() universe = EVERYTHING;
  @state() result: Loaded<Screened> = LOADING;
  /** The error of the last change, while the result before it is still shown. */
  @state() fault: unknown = null;
  @state() isWaiting = false;
  private readonly work = new AbortScope(this);
  private readonly dictionary = loadForm(
    this,
    () => get<Presets>('/api/screener/presets'),
    (dictionary) => this.begin(dictionary),
  );

  /** Takes the screen that the address names: a rule, conditions, or a ready-made one, which is the default. */
  private begin({ presets }: Presets): void {
    this.asOf = fromAddress('as_of') ?? '';
    this.universe = universeInAddress();
    const where = fromAddress('where');
    const conditions = conditionsInAddress();
    if (where !== null || conditions !== null) {
      this.preset = null;
      this.where = where ?? '';
      this.screen(conditions === null ? {} : { conditions });
      return;
    }
    const chosen = presets.find(({ code }) => code === fromAddress('preset')) ?? presets[0];
    this.preset = chosen.code;
    this.where = chosen.where ?? '';
    if (this.isExample) this.showExample(chosen.code);
    else this.screen();
  }

  private get isExample(): boolean {
    return this.asOf === '' && this.universe.kind === '';
  }

  /** The newest result of a ready-made screen, which is computed for everybody. */
  private async showExample(preset: string): Promise<void> {
    const signal = this.work.next();
    this.result = LOADING;
    this.fault = null;
    this.isWaiting = true;
    const address = path('/api/screener/examples/{preset}', { preset });
    for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
      const result = await settle(get<Screened>(address, { signal })).catch(() => null);
      if (signal.aborted || result === null) return;
      this.result = result;
      if (result.state !== 'loaded' || result.value.history !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    this.isWaiting = false;
  }

  /** The screen as the API takes it. */
  private get body() {
    return {
      ...(this.where === '' ? {} : { where: this.where }),
      ...(this.asOf === '' ? {} : { as_of: this.asOf }),
      ...membersOf(this.universe),
      columns: SCREEN_COLUMNS,
      closes: SCREEN_CLOSES,
      limit: SHOWN,
    };
  }

  /** Asks for the instruments first, and then for the history, which takes longer. The result before stays until then. */
  private async screen(more: object = {}): Promise<void> {
    const signal = this.work.next();
    this.fault = null;
    this.isWaiting = true;
    const body = { ...this.body, ...more };
    const ask = (asked: object) => settle(runJob<Screened>(SCREEN, asked, signal)).catch(() => null);
    const first = await ask(body);
    if (signal.aborted || first === null) return;
    this.take(first);
    const whole = first.state === 'failed' ? null : await ask({ ...body, history: {} });
    if (signal.aborted) return;
    if (whole?.state === 'loaded') this.result = whole;
    else if (whole?.state === 'failed') this.fault = whole.error;
    this.isWaiting = false;
  }

  private take(result: Loaded<Screened>): void {
    if (result.state === 'failed' && this.result.state === 'loaded') {
      this.fault = result.error;
      return;
    }
    this.result = result;
    if (result.state !== 'loaded' || this.where !== '') return;
    // Conditions of an address are shown as their rule.
    this.where = result.value.funnel.flatMap(({ rule }) => rule ?? []).join(' and ');
  }

  private readonly changed = ({ detail }: CustomEvent<string>) => {
    this.where = detail;
    this.preset = null;
    toAddress({ where: detail, preset: null, conditions: null });
    this.screen();
  };

  private readonly changeDay = (event: Event) => {
    this.asOf = fieldValue(event);
    toAddress({ as_of: this.asOf });
    this.again();
  };

  private readonly changeUniverse = ({ detail }: CustomEvent<Universe>) => {
    this.universe = detail;
    toAddress(universeQuery(detail));
    this.again();
  };

  private again(): void {
    if (this.isExample && this.preset !== null) this.showExample(this.preset);
    else this.screen();
  }

  private readonly retry = () => this.dictionary.reuse();

  override render() {
    return onceLoaded(this.dictionary, t('page.screener'), (dictionary) => this.page(dictionary));
  }

  private page({ presets }: Presets) {
    const { result, preset } = this;
    const shown = result.state === 'loaded' ? result.value : null;
    const name = presets.find(({ code }) => code === preset)?.name ?? t('page.screener');
    const about = shown === null ? '\u00a0' : t('screener.about', { date: day(shown.data_freshness.as_of) });
    return html`${pageHead(name, { about, actions: shown === null ? nothing : this.actions(shown, name) })}
      <nav class="row presets" aria-label=${t('screener.presets')}>
        ${presets.map(({ code, name: title }) => html`<a href=${this.linkTo('/screener', { preset: code })} aria-current=${code === preset ? 'true' : nothing}>${title}</a>`)}
        <universe-chip .universe=${this.universe} .all=${t('universe.stocks_etfs')} .counts=${shown === null ? '…' : countsOf(shown)} @universe=${this.changeUniverse}></universe-chip>
        <label class="as-of">${t('screener.as_of')} <input type="date" .value=${this.asOf} @change=${this.changeDay} /></label>
      </nav>
      <screen-builder .where=${this.where} .funnel=${shown?.funnel ?? []} .eligible=${shown?.eligible ?? null} .elapsed=${shown?.elapsed_ms ?? null} .isLoading=${result.state === 'loading'} @screen=${this.changed}></screen-builder>
      ${this.faultText()} ${this.content()}`;
  }

  private faultText() {
    const { fault } = this;
    const isForAccounts = fault instanceof ApiError && fault.key === 'error.login_required';
    return isForAccounts ? accountNeeded(() => this.screen()) : inlineFailure(fault);
  }

  private actions(screened: Screened, name: string) {
    const symbols = screened.items.map(({ current_symbol, symbol }) => current_symbol ?? symbol);
    const list = PORTFOLIO.queryOf(heldSince(symbols, this.asOf));
    const screenedOn = screened.data_freshness.as_of;
    const save = () => saveScreen(screened, name);
    const isRule = this.where !== '';
    return html`${moreActions(html`
        ${isRule ? html`<a href=${this.linkTo('/portfolio', { kind: 'rotation', where: this.where })}>${t('screener.rotate')}</a>` : nothing}
        ${symbols.length === 0 ? nothing : html`<a href=${`/portfolio?${list}&screened=${screenedOn}`}>${t('screener.backtest_list')}</a>`}
        <button @click=${save}>${t('symbol.csv')}</button>`)}
      ${isRule ? html`<a class="button primary" href=${this.linkTo('/strategies', { where: this.where })}>${t('screener.watch')}</a>` : nothing}`;
  }

  /** An address that keeps the universe. */
  private linkTo(page: string, query: Readonly<Record<string, string>>): string {
    const { universe } = this;
    return `${page}?${new URLSearchParams({ ...query, ...(universe.kind === '' ? {} : universeQuery(universe)) })}`;
  }

  private content() {
    const { result } = this;
    if (result.state === 'loading') return loading();
    if (result.state === 'failed') return failure(result.error, this.retry);
    const screened = result.value;
    const { total, items } = screened;
    const kept = items.map((hit) => ({ symbol: symbolOf(hit), change: hit.change_pct }));
    keepList({ title: t('page.screener'), href: location.pathname + location.search, items: kept });
    return html`<div class="screened">
      <section>
        <h2>${t('screener.pass', { count: total })}${total > items.length ? html` <small>${t('screener.shown', { shown: items.length })}</small>` : nothing}</h2>
        <data-table class="screen-table" .columns=${screenColumns(screened)} .rows=${items} .foot=${items.length === 0 ? [] : medianRows(screened)} .empty=${html`<p class="state">${t('screener.nothing')}</p>`} caption=${t('page.screener')}></data-table>
        <details>
          <summary>${t('run.programs')}</summary>
          <code-samples .samples=${runSamples({ url: `${location.origin}${SCREEN}`, body: this.body, needsKey: true, figures: ['total', 'eligible'] })}></code-samples>
        </details>
      </section>
      <screen-rail .screened=${screened} ?isWaiting=${this.isWaiting}></screen-rail>
    </div>`;
  }
}

const countsOf = ({ eligible, total }: Screened) => `${number(eligible)} → ${number(total)}`;

const symbolOf = ({ symbol, current_symbol = symbol }: Hit) => current_symbol;

function conditionsInAddress(): readonly object[] | null {
  try {
    const given: unknown = JSON.parse(fromAddress('conditions') ?? '');
    return Array.isArray(given) ? given : null;
  } catch {
    return null;
  }
}

function saveScreen({ items, data_freshness: { as_of } }: Screened, name: string): void {
  const columns = Object.keys(SCREEN_COLUMNS);
  saveCsv(`${name}-${as_of}.csv`, [
    ['symbol', 'name', 'close', 'change_pct', 'dollar_volume', ...columns, 'days_in'],
    ...items.map((hit) => [
      hit.symbol,
      hit.name,
      hit.close,
      hit.change_pct ?? '',
      hit.dollar_volume,
      ...columns.map((column) => hit.columns?.[column] ?? ''),
      hit.days_in ?? '',
    ]),
  ]);
}
