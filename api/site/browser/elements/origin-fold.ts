/** Where the bar of a day comes from, once its reader asks: that of the newest day, then of those that are taken. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, nothing, SiteElement, targetOf } from '../dom.ts';
import { t } from '../text.ts';

/** Takes a day with the event `take`. */
@customElement('origin-fold')
export class OriginFold extends SiteElement {
  @property() symbol = '';
  @property() newest = '';
  /** Null: it is folded. */
  @state() date: string | null = null;

  constructor() {
    super();
    this.addEventListener('take', this.onTake);
  }

  private readonly onTake = (event: Event) => {
    if (this.date !== null && event instanceof CustomEvent) this.date = event.detail;
  };

  private async open(event: Event): Promise<void> {
    const { open } = targetOf(event, HTMLDetailsElement);
    if (open) await import('./bar-origin.ts');
    this.date = open ? this.newest : null;
  }

  override render() {
    const { date, symbol, newest } = this;
    return html`<details @toggle=${(event: Event) => this.open(event)}>
      <summary>${t('origin.title')}</summary>
      ${date === null ? nothing : html`<bar-origin symbol=${symbol} date=${date} newest=${newest} @choose=${this.onTake}></bar-origin>`}
    </details>`;
  }
}
