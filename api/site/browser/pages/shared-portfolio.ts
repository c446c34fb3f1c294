/** A portfolio that somebody has shared. */
import '../shell.ts';
import '../elements/portfolio-report.ts';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { SiteElement } from '../element.ts';
import { PORTFOLIO } from '../run/portfolio.ts';
import { loadShared, sharedPage } from '../run/shared-page.ts';

@customElement('shared-portfolio-page')
export class SharedPortfolioPage extends SiteElement {
  private readonly shared = loadShared(this, PORTFOLIO);

  override render() {
    return sharedPage(
      PORTFOLIO,
      this.shared,
      (result, body) => html`<portfolio-report .result=${result} .body=${body}></portfolio-report>`,
    );
  }
}
