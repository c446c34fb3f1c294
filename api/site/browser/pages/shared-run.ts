/** A backtest that somebody has shared. */
import '../shell.ts';
import '../elements/run-report.ts';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { BACKTEST, type BacktestBody } from '../run/backtest.ts';
import type { Made } from '../run/run-page.ts';
import { SharedPage } from '../run/shared-page.ts';
import type { BacktestResult } from '../types.ts';

@customElement('shared-run-page')
export class SharedRunPage extends SharedPage<BacktestBody, BacktestResult> {
  protected override readonly kind = BACKTEST;

  protected override report({ body, result }: Made<BacktestBody, BacktestResult>) {
    return html`<run-report .result=${result} .body=${body}></run-report>`;
  }
}
