/** The Sharpe ratio by neighboring values of a parameter: says at a glance whether the choice is lucky. Fires `choose` with a value. */
import { customElement, property, state } from 'lit/decorators.js';
import { html, nothing, SiteElement, svg } from '../dom.ts';
import { AbortScope } from '../load.ts';
import type { BacktestBody } from '../run/backtest.ts';
import { runJob } from '../run/call.ts';
import { inlineFailure } from '../states.ts';
import { anyNumber, fixed } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Neighbors } from '../types.ts';

const HEIGHT = 44;

@customElement('neighbor-bars')
export class NeighborBars extends SiteElement {
  /** The finished call. */
  @property({ attribute: false }) body!: BacktestBody;
  /** The parameter that is varied, its name on the page, and its value in the finished call. */
  @property() vary = '';
  @property() label = '';
  @property() chosen = '';
  /** Already known, such as those of the example. */
  @property({ attribute: false }) known: Neighbors | null = null;
  /** Whether the run itself is in progress: it comes first. */
  @property({ attribute: false }) isRunning = false;
  /** Whether they are computed without being asked for. */
  @property({ attribute: false }) isAutomatic = false;
  @property({ attribute: false }) answered: (response: Response) => void = () => {};
  @state() found: Neighbors | null = null;
  @state() isBusy = false;
  @state() problem: unknown = null;
  private readonly work = new AbortScope(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('isRunning') && this.isRunning) this.stop();
    if (!['body', 'vary', 'known'].some((name) => changed.has(name))) return;
    this.stop();
    this.problem = null;
    this.found = this.known?.param === this.vary ? this.known : null;
    if (this.found === null && this.isAutomatic) void this.ask();
  }

  private stop(): void {
    this.work.next();
    this.isBusy = false;
  }

  private readonly ask = async (): Promise<void> => {
    const signal = this.work.next();
    this.isBusy = true;
    this.problem = null;
    try {
      const body = { ...this.body, vary: this.vary, save: undefined };
      this.found = await runJob<Neighbors>('/v1/backtest/neighbors', body, signal, this.answered);
    } catch (error) {
      if (signal.aborted) return;
      // Nobody has asked for them: the button remains.
      this.problem = this.isAutomatic ? null : error;
    }
    this.isBusy = false;
  };

  override render() {
    const { found, label } = this;
    return html`<h3>${t('neighbors.title', { label })}</h3>
      ${found === null ? this.asking() : this.bars(found)} ${inlineFailure(this.problem)}`;
  }

  private asking() {
    if (this.isBusy) return html`<p class="neighbor-space muted small" role="status">${t('form.running')}</p>`;
    return html`<p class="neighbor-space"><button type="button" class="quiet" @click=${this.ask}>${t('neighbors.ask')}</button></p>`;
  }

  private bars({ values }: Neighbors) {
    const heights = values.map(({ sharpe }) => sharpe ?? 0);
    const [low, high] = [Math.min(0, ...heights), Math.max(0.1, ...heights)];
    const y = (value: number) => (HEIGHT * (high - value)) / (high - low);
    return html`<div class="neighbor-bars" role="group" aria-label=${t('neighbors.group')}>
      ${values.map(({ value, sharpe }) => {
        const isChosen = String(value) === this.chosen;
        const top = y(Math.max(0, sharpe ?? 0));
        const isWritten = isChosen || (sharpe !== null && sharpe === high);
        return html`<button
          type="button"
          class=${isChosen ? 'chosen' : ''}
          aria-pressed=${isChosen}
          @click=${() => this.choose(value)}
        >
          <small aria-hidden="true">${isWritten ? fixed(sharpe) : nothing}</small>
          <svg viewBox="0 0 20 ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
            ${svg`<rect x="0" width="20" y=${top} height=${Math.max(1, Math.abs(y(sharpe ?? 0) - y(0)))} />`}
          </svg>
          <span>${typeof value === 'number' ? anyNumber(value) : String(value)}</span
          ><span class="visually-hidden">${t('neighbors.sharpe', { sharpe: fixed(sharpe) })}</span>
        </button>`;
      })}
    </div>`;
  }

  private choose(value: number | string | boolean): void {
    this.dispatchEvent(new CustomEvent('choose', { detail: String(value) }));
  }
}
