/** A backtest that somebody has shared. */
import '../shell.ts';
import '../elements/run-report.ts';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { SiteElement } from '../element.ts';
import { BACKTEST } from '../run/backtest.ts';
import { loadShared, sharedPage } from '../run/shared-page.ts';

@customElement('shared-run-page')
export class SharedRunPage extends SiteElement {
  private readonly shared = loadShared(this, BACKTEST);

  override render() {
    return sharedPage(
      BACKTEST,
      this.shared,
      (result, body) => html`<run-report .result=${result} .body=${body}></run-report>`,
    );
  }
}
