/** A strategy on an instrument: the form, and the report of the run. A link to the page runs it again. */
import '../shell.ts';
import '../elements/backtest-form.ts';
import '../elements/run-report.ts';
import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fromAddress } from '../address.ts';
import { saveCsv } from '../download.ts';
import { EXAMPLE_SYMBOLS, exampleBacktest } from '../examples.ts';
import { BACKTEST, type BacktestBody, bodyIn } from '../run/backtest.ts';
import { type FormParts, type Made, RunPage } from '../run/run-page.ts';
import { type Settings, settingsInAddress, settingsOf } from '../run/specification.ts';
import { get } from '../session.ts';
import { marketLoading } from '../states.ts';
import { t } from '../text.ts';
import type { BacktestResult, Strategies } from '../types.ts';

@customElement('backtest-page')
export class BacktestPage extends RunPage<FormParts, BacktestBody, BacktestResult> {
  @state() settings: Settings = settingsInAddress();
  protected override readonly kind = BACKTEST;

  protected override async loadNeeded(): Promise<FormParts> {
    return { strategies: await get<Strategies>('/api/backtest/strategies') };
  }

  protected override readAddress(): BacktestBody | null {
    this.settings = settingsInAddress();
    return fromAddress('run') !== null && this.settings.symbol ? bodyIn(this.settings) : null;
  }

  protected override fill(body: BacktestBody): void {
    this.settings = { symbol: body.symbol, ...settingsOf(body) };
  }

  protected override form(parts: FormParts) {
    const { strategies } = parts;
    return keyed(
      this.settings,
      html`<backtest-form
      .strategies=${strategies}
      .settings=${this.settings}
      .faults=${this.faultsIn(parts)}
      .isBusy=${this.isBusy}
      @run=${this.submitted}
    ></backtest-form>`,
    );
  }

  protected override buttons(result: BacktestResult) {
    return html`<button @click=${() => saveTrades(result)}>${t('run.csv')}</button>`;
  }

  protected override report({ body, result }: Made<BacktestBody, BacktestResult>) {
    return html`<run-report .result=${result} .body=${body} .kept=${this.kept} .isOwn=${true}></run-report>`;
  }

  protected override invitation() {
    if (EXAMPLE_SYMBOLS.length === 0) return marketLoading();
    return html`<section class="state">
      <h2>${t('run.empty')}</h2>
      <p>${t('run.empty.text')}</p>
      ${exampleBacktest(EXAMPLE_SYMBOLS[0])}
    </section>`;
  }
}

function saveTrades({ symbol, strategy, trades = [] }: BacktestResult): void {
  const names = [
    'seq',
    'entry_date',
    'entry_price',
    'exit_date',
    'exit_price',
    'shares',
    'pnl',
    'pnl_pct',
    'bars_held',
    'commission',
    'mae_pct',
    'mfe_pct',
    'exit_reason',
  ] as const;
  saveCsv(`${symbol}-${strategy}-trades.csv`, [names, ...trades.map((trade) => names.map((name) => trade[name]))]);
}
