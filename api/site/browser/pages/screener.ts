/** A screen of the market: conditions with what each leaves, what passes, and what it did before. Opens with a finished example. */
import '../shell.ts';
import '../tool.ts';
import '../elements/code-samples.ts';
import '../elements/column-picker.ts';
import '../elements/data-table.ts';
import '../elements/screen-builder.ts';
import '../elements/screen-rail.ts';
import '../elements/universe-chip.ts';
import { customElement, state } from 'lit/decorators.js';
import { fromAddress, toAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { fieldValue, html, nothing, SiteElement } from '../dom.ts';
import { columnMember } from '../elements/column-choice.ts';
import type { Sort } from '../elements/data-table.ts';
import { EVERYTHING, membersOf, type Universe, universeInAddress, universeQuery } from '../elements/universe-chip.ts';
import { moreActions, pageHead } from '../head.ts';
import { columnSets, keepColumnSets, keepList } from '../kept-list.ts';
import { AbortScope, Load, loadForm } from '../load.ts';
import { memberIn, withMember } from '../member-rule.ts';
import { watchNotice } from '../notices.ts';
import { runJob } from '../run/call.ts';
import { heldSince, PORTFOLIO } from '../run/portfolio.ts';
import type { EvaluatedWatch } from '../run/watch.ts';
import { runSamples } from '../samples.ts';
import {
  askToKeep,
  askToWatch,
  conditionsInAddress,
  isKeptScreen,
  questionOf,
  type ScreenOrder,
  saveScreen,
} from '../screen-actions.ts';
import {
  chosenColumns,
  columnCounts,
  FIRST_COLUMNS,
  figuresOf,
  isOfExamples,
  medianRows,
  offeredColumns,
  SCREEN_CLOSES,
  type ScreenColumn,
} from '../screen-table.ts';
import { get, signedInAs } from '../session.ts';
import { accountNeeded, failure, inlineFailure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { day, number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { OwnStrategies, Presets, Screened } from '../types.ts';
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
  /** Keys of the columns in their order. */
  @state() columns: readonly string[] = columnSets()[''] ?? FIRST_COLUMNS;
  /** The order of the whole screen by one of its columns; null: as it comes. */
  @state() sort: ScreenOrder | null = null;
  @state() watched: EvaluatedWatch | null = null;
  /** Kept screens are strategies of the account. */
  private readonly kept = new Load(this, async () =>
    signedInAs() === null ? null : get<OwnStrategies>('/v1/my/strategies', { query: { size: 100 } }),
  );
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
    return this.asOf === '' && this.universe.kind === '' && this.sort === null && isOfExamples(this.columns);
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
      columns: figuresOf(this.columns),
      condition_columns: true,
      ...(this.sort === null ? {} : { sort: this.sort }),
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

  private change(where: string, universe = this.universe): void {
    this.where = where;
    this.universe = universe;
    this.preset = null;
    this.watched = null;
    toAddress({ where, preset: null, conditions: null, ...universeQuery(universe) });
    this.screen();
  }

  private readonly changeDay = (event: Event) => {
    this.asOf = fieldValue(event);
    toAddress({ as_of: this.asOf });
    this.again();
  };

  private readonly changeMember = ({ detail }: CustomEvent<string>) =>
    this.change(withMember(detail, this.where), EVERYTHING);

  private readonly changeUniverse = ({ detail }: CustomEvent<Universe>) => {
    const { rule, rest } = memberIn(this.where);
    if (rule !== '') return this.change(rest, detail);
    this.universe = detail;
    toAddress(universeQuery(detail));
    this.again();
  };

  private readonly changeColumns = ({ detail }: CustomEvent<readonly string[]>) => {
    this.columns = detail;
    keepColumnSets({ ...columnSets(), '': detail });
    const [hit] = this.result.state === 'loaded' ? this.result.value.items : [];
    if (hit && Object.keys(figuresOf(detail)).some((name) => hit.columns?.[name] === undefined)) this.again();
  };

  /** The table sorts the rows in sight; where more pass, the first of all are asked for. */
  private sortBy({ key, order }: Sort, { total, items }: Screened, columns: readonly ScreenColumn[]): void {
    const by = columns.find((column) => column.key === key)?.by;
    if (by === undefined || total <= items.length) return;
    this.sort = { ...by, order };
    this.again();
  }

  private readonly keep = async () => {
    if (await askToKeep(this.where)) await this.kept.reload();
  };

  private readonly watch = async (name: string) => {
    const screen = { where: this.where, ...membersOf(this.universe) };
    this.watched = (await askToWatch(name, screen)) ?? this.watched;
  };

  private again(): void {
    if (this.isExample && this.preset !== null) this.showExample(this.preset);
    else this.screen();
  }

  override render() {
    return onceLoaded(this.dictionary, t('page.screener'), (dictionary) => this.page(dictionary));
  }

  private page(dictionary: Presets) {
    const { presets } = dictionary;
    const { result, preset, watched } = this;
    const shown = result.state === 'loaded' ? result.value : null;
    const name = presets.find(({ code }) => code === preset)?.name ?? t('page.screener');
    const about = shown === null ? '\u00a0' : t('screener.about', { date: day(shown.data_freshness.as_of) });
    return html`${pageHead(name, { about, actions: shown === null ? nothing : this.actions(shown, name) })}
      ${watchNotice(watched?.watch ?? null, watched?.signals)}
      <nav class="row presets" aria-label=${t('screener.presets')}>
        ${presets.map(({ code, name: title }) => html`<a href=${this.linkTo('/screener', { preset: code })} aria-current=${code === preset ? 'true' : nothing}>${title}</a>`)}
        ${this.kept.value?.items
          .filter(isKeptScreen)
          .map(
            ({ name, rules }) =>
              html`<a class="clipped" title=${rules.entry} href=${this.linkTo('/screener', { where: rules.entry })} aria-current=${preset === null && rules.entry === this.where ? 'true' : nothing}>${name}</a>`,
          )}
        <universe-chip .universe=${this.universe} .all=${t('universe.stocks_etfs')} .counts=${shown === null ? '…' : countsOf(shown)} @universe=${this.changeUniverse} .member=${columnMember(this.where, this.changeMember)}></universe-chip>
        <label class="as-of">${t('screener.as_of')} <input type="date" .value=${this.asOf} @change=${this.changeDay} /></label>
      </nav>
      <screen-builder .words=${dictionary} .where=${this.where} .funnel=${shown?.funnel ?? []} .eligible=${shown?.eligible ?? null} .elapsed=${shown?.elapsed_ms ?? null} .isLoading=${result.state === 'loading'} @screen=${({ detail }: CustomEvent<string>) => this.change(detail)}></screen-builder>
      ${this.faultText()} ${this.content(dictionary)}`;
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
        ${isRule || this.sort !== null ? html`<a href=${questionOf(this, SHOWN)}>${t('symbol.outcomes')}</a>` : nothing}
        ${isRule ? html`<a href=${this.linkTo('/portfolio', { kind: 'rotation', where: this.where })}>${t('screener.rotate')}</a>` : nothing}
        ${symbols.length === 0 ? nothing : html`<a href=${`/portfolio?${list}&screened=${screenedOn}`}>${t('screener.backtest_list')}</a>`}
        <button @click=${save}>${t('symbol.csv')}</button>`)}
      ${isRule ? html`<button @click=${() => this.watch(this.preset === null ? this.where : name)}>${t('screener.watch')}</button><button class="primary" @click=${this.keep}>${t('word.save')}</button>` : nothing}`;
  }

  /** An address that keeps the universe. */
  private linkTo(page: string, query: Readonly<Record<string, string>>): string {
    const { universe } = this;
    return `${page}?${new URLSearchParams({ ...query, ...(universe.kind === '' ? {} : universeQuery(universe)) })}`;
  }

  private content(dictionary: Presets) {
    const { result } = this;
    if (result.state === 'loading') return loading();
    if (result.state === 'failed') return failure(result.error, this.dictionary.reuse);
    const screened = result.value;
    const { total, items } = screened;
    const kept = items.map((hit) => ({ symbol: symbolOf(hit), change: hit.change_pct }));
    keepList({ title: t('page.screener'), href: location.pathname + location.search, items: kept });
    const columns = chosenColumns(screened, dictionary, this.columns);
    const sort = ({ detail }: CustomEvent<Sort>) => this.sortBy(detail, screened, columns);
    return html`<div class="screened">
      <section>
        <h2 class="row spread"><span>${t('screener.pass', { count: total })}${total > items.length ? html` <small>${t('screener.shown', { shown: items.length })}</small>` : nothing}</span>
          <column-picker .offered=${offeredColumns(screened, dictionary)} .chosen=${this.columns} .first=${FIRST_COLUMNS} .counts=${columnCounts(screened, dictionary, this.columns)} @columns=${this.changeColumns}></column-picker></h2>
        <data-table class="screen-table" .columns=${columns} .rows=${items} .foot=${items.length === 0 ? [] : medianRows(screened, columns)} @sort=${sort} .empty=${html`<p class="state">${t('screener.nothing')}</p>`} caption=${t('page.screener')}></data-table>
        <details>
          <summary>${t('run.programs')}</summary>
          <code-samples .samples=${runSamples({ url: `${location.origin}${SCREEN}`, body: this.body, needsKey: true, figures: ['total', 'eligible'] })}></code-samples>
        </details>
        ${this.where === '' ? nothing : html`<p><a href=${this.linkTo('/strategies', { where: this.where })}>${t('screener.watch.strategy')}</a></p>`}
      </section>
      <screen-rail .screened=${screened} ?isWaiting=${this.isWaiting}></screen-rail>
    </div>`;
  }
}

const countsOf = ({ eligible, total }: Screened) => `${number(eligible)} → ${number(total)}`;

const symbolOf = ({ symbol, current_symbol = symbol }: Hit) => current_symbol;
