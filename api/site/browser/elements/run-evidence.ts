/**
 * The evidence of a run: whether it can be reproduced, whether it looks ahead, and its receipt. `address`: of the
 * run in the API; null for runs of others and runs that are not kept.
 */
import { customElement, property, state } from 'lit/decorators.js';
import { html, nothing, SiteElement } from '../dom.ts';
import { AbortScope } from '../load.ts';
import { runJob } from '../run/call.ts';
import { inlineFailure } from '../states.ts';
import { day, localTime } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Evidence, LookAhead, Verification } from '../types.ts';
import './copy-button.ts';
import './verification-report.ts';
import { verdictLine } from './verification-report.ts';

type Check = 'verify' | 'look-ahead';

@customElement('run-evidence')
export class RunEvidence extends SiteElement {
  @property({ attribute: false }) evidence!: Evidence;
  @property({ attribute: false }) address: string | null = null;
  /** Whether it can be searched for look-ahead. */
  @property({ attribute: false }) hasLookAhead = true;
  /** Whether its reader may keep it. */
  @property({ attribute: false }) isOwn = false;
  /** Newer than the evidence; null: none. */
  @state() verification: Verification | null = null;
  @state() lookAhead: LookAhead | null = null;
  @state() working: Check | null = null;
  @state() problem: unknown = null;
  private readonly work = new AbortScope(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('evidence')) return;
    this.work.next();
    this.verification = null;
    this.lookAhead = null;
    this.working = null;
    this.problem = null;
  }

  private async run(check: Check): Promise<void> {
    if (this.address === null || this.working !== null) return;
    const { signal } = this.work;
    this.problem = null;
    this.working = check;
    try {
      const address = `${this.address}/${check}`;
      if (check === 'verify') this.verification = await runJob<Verification>(address, undefined, signal);
      else this.lookAhead = await runJob<LookAhead>(address, undefined, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error;
    }
    this.working = null;
  }

  override render() {
    const { receipt } = this.evidence;
    return html`<h2 id="evidence">${t('evidence.title')}</h2>
      ${this.verdicts()} ${receipt ? receiptDetails(receipt) : nothing}`;
  }

  private verdicts() {
    const lookAhead = this.lookAhead ?? this.evidence.look_ahead;
    const isKept = this.address !== null;
    if (!isKept && !this.isOwn && !this.evidence.verification && !lookAhead) return nothing;
    return html`<h3>${t('evidence.verification')}</h3>
      ${isKept ? this.buttons() : this.isOwn ? html`<p class="muted">${t(this.hasLookAhead ? 'evidence.keep_first' : 'evidence.keep_to_verify')}</p>` : nothing}
      <div aria-live="polite">
        ${inlineFailure(this.problem)} ${this.verdict(isKept)} ${lookAhead ? lookAheadLine(lookAhead) : nothing}
      </div>`;
  }

  private verdict(isKept: boolean) {
    if (this.verification) return html`<verification-report .found=${this.verification}></verification-report>`;
    if (this.evidence.verification) return verdictLine(this.evidence.verification);
    return isKept && this.working === null ? html`<p class="muted">${t('evidence.not_verified')}</p>` : nothing;
  }

  private buttons() {
    const button = (check: Check, text: string) => html`<button
      ?disabled=${this.working !== null}
      @click=${() => this.run(check)}
    >${this.working === check ? t('evidence.working') : text}</button>`;
    return html`<div class="row controls">
      ${button('verify', t('evidence.verify'))} ${this.hasLookAhead ? button('look-ahead', t('evidence.look_ahead')) : nothing}
    </div>`;
  }
}

function lookAheadLine({ verdict, prefixes, differences, first, warm_up, engine_version, proved_at }: LookAhead) {
  const found = () =>
    t('look_ahead.found', { differences, prefixes, cut: day(first?.cut_after), date: day(first?.date) });
  return html`<p class="notice ${verdict === 'none' ? '' : 'warning'}">
    ${verdict === 'none' ? t('look_ahead.none', { prefixes }) : found()}
    ${t('look_ahead.warm_up', { needed: warm_up.needed_bars, available: warm_up.available_bars })}
    <span class="small">${t('look_ahead.at', { engine: engine_version, at: localTime(proved_at) })}</span>
  </p>`;
}

function receiptDetails(receipt: NonNullable<Evidence['receipt']>) {
  const digest = (name: string, value: string) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`;
  return html`<details class="receipt">
    <summary>${t('receipt.title')}</summary>
    <p class="muted small">${t('receipt.text')}</p>
    <dl class="facts">
      ${digest(t('receipt.spec'), receipt.spec_sha256)} ${digest(t('receipt.data'), receipt.data_sha256)}
      ${digest(t('receipt.result'), receipt.result_sha256)}
      <dt>${t('run.engine')}</dt><dd>${receipt.engine_version}</dd>
      <dt>${t('receipt.data_version')}</dt><dd>${receipt.data_version}</dd>
    </dl>
    <copy-button .text=${JSON.stringify(receipt, null, 2)}></copy-button>
  </details>`;
}
