/** A portfolio that somebody has shared. */
import '../shell.ts';
import '../elements/portfolio-report.ts';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { PORTFOLIO, type PortfolioBody } from '../run/portfolio.ts';
import type { Made } from '../run/run-page.ts';
import { SharedPage } from '../run/shared-page.ts';
import type { PortfolioResult } from '../types.ts';

@customElement('shared-portfolio-page')
export class SharedPortfolioPage extends SharedPage<PortfolioBody, PortfolioResult> {
  protected override readonly kind = PORTFOLIO;

  protected override report({ body, result }: Made<PortfolioBody, PortfolioResult>) {
    return html`<portfolio-report .result=${result} .body=${body}></portfolio-report>`;
  }
}
