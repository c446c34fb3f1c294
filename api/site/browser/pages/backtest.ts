/** A strategy on an instrument: the form, and the report of the run. A link to the page runs it again. */
import '../shell.ts';
import '../elements/backtest-form.ts';
import '../elements/run-report.ts';
import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { TRADE_COLUMNS } from '../../../runs/trade-columns.ts';
import { fromAddress } from '../address.ts';
import { SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { EXAMPLE_SYMBOLS, exampleBacktest } from '../examples.ts';
import { formPage, loadForm } from '../load.ts';
import { BACKTEST, type BacktestBody, bodyIn } from '../run/backtest.ts';
import { type FinishedRun, PageRun } from '../run/run-page.ts';
import { settingsInAddress, settingsOf } from '../run/specification.ts';
import { get } from '../session.ts';
import { marketLoading } from '../states.ts';
import { t } from '../text.ts';
import type { BacktestResult, Strategies } from '../types.ts';

@customElement('backtest-page')
export class BacktestPage extends SiteElement {
  /** The initial values of the form. */
  @state() settings = settingsInAddress();
  private readonly run = new PageRun(this, BACKTEST, {
    readAddress: () => {
      this.settings = settingsInAddress();
      return fromAddress('run') !== null && this.settings.symbol ? bodyIn(this.settings) : null;
    },
    fill: (body) => {
      this.settings = { symbol: body.symbol, ...settingsOf(body) };
    },
  });
  private readonly strategies = loadForm(this, () => get<Strategies>('/api/backtest/strategies'), this.run.begin);

  override render() {
    return formPage(
      BACKTEST.heading,
      this.strategies,
      (strategies) => html`${this.form(strategies)} ${this.run.render(strategies, { report, emptyState, buttons })}`,
    );
  }

  private form(strategies: Strategies) {
    return keyed(
      this.settings,
      html`<backtest-form
      .strategies=${strategies}
      .settings=${this.settings}
      .fieldErrors=${this.run.fieldErrors(strategies)}
      .isBusy=${this.run.isBusy}
      @run=${this.run.submitted}
    ></backtest-form>`,
    );
  }
}

function report({ body, result, keptId }: FinishedRun<BacktestBody, BacktestResult>) {
  return html`<run-report .result=${result} .body=${body} .keptId=${keptId} .isOwn=${true}></run-report>`;
}

function emptyState() {
  if (EXAMPLE_SYMBOLS.length === 0) return marketLoading();
  return html`<section class="state">
    <h2>${t('run.empty')}</h2>
    <p>${t('run.empty.text')}</p>
    ${exampleBacktest(EXAMPLE_SYMBOLS[0])}
  </section>`;
}

function buttons(result: BacktestResult) {
  return html`<button @click=${() => saveTrades(result)}>${t('run.csv')}</button>`;
}

function saveTrades({ symbol, strategy, trades = [] }: BacktestResult): void {
  const rows = trades.map((trade) => TRADE_COLUMNS.map((name) => trade[name]));
  saveCsv(`${symbol}-${strategy}-trades.csv`, [TRADE_COLUMNS, ...rows]);
}
