/** The conditions of a screen side by side, each with what it leaves; the same as a rule below. Either changes the other. */
import './rule-editor.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldsOf, fieldValue, html, nothing, SiteElement, svg, textIn } from '../dom.ts';
import { number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Screened } from '../types.ts';

type Step = Screened['funnel'][number];

/** Fires `screen` with the new rule. */
@customElement('screen-builder')
export class ScreenBuilder extends SiteElement {
  @property() where = '';
  /** Instruments that each condition leaves; empty until they are counted. */
  @property({ attribute: false }) funnel: readonly Step[] = [];
  @property({ attribute: false }) eligible: number | null = null;
  /** In milliseconds. */
  @property({ attribute: false }) elapsed: number | null = null;
  /** Whether the first result is awaited: the conditions take their room, and cannot be changed yet. */
  @property({ attribute: false }) isLoading = false;
  @state() isEditing = false;

  /** The texts of the conditions: those of the result, else the whole rule. */
  private get parts(): readonly string[] {
    const known = this.funnel.map(({ rule }) => rule ?? '');
    if (known.length > 0) return known;
    if (this.where === '') return [];
    return this.isLoading ? this.where.split(' and ') : [this.where];
  }

  private screen(where: string): void {
    this.isEditing = false;
    this.dispatchEvent(new CustomEvent('screen', { detail: where }));
  }

  private change(place: number, text: string): void {
    const parts = this.parts.with(place, text.trim());
    this.screen(parts.filter((part) => part !== '').join(' and '));
  }

  private readonly add = (event: SubmitEvent) => {
    event.preventDefault();
    const text = textIn(fieldsOf(event), 'condition');
    if (text === '') return;
    const isAlternative = /\bor\b|\|\|/i.test(text);
    this.screen([...this.parts, isAlternative ? `(${text})` : text].join(' and '));
  };

  private readonly replaceAll = (event: SubmitEvent) => {
    event.preventDefault();
    this.screen(textIn(fieldsOf(event), 'where'));
  };

  override render() {
    const { eligible, funnel } = this;
    return html`<div class="funnel">
        <div class="step">
          <p class="condition-name">${t('screener.all')}</p>
          ${funnelBar(1, eligible, null)}
        </div>
        ${this.parts.map((part, i) => this.step(part, i))}
        <form class="step" @submit=${this.add}>
          <input class="condition-new" name="condition" .value=${''} placeholder=${t('screener.add.example')} aria-label=${t('screener.add')} autocomplete="off" autocapitalize="none" spellcheck="false" />
          <p class="hint">${t('screener.add.hint')}</p>
        </form>
      </div>
      ${this.rule(funnel.length > 0)}`;
  }

  private step(part: string, i: number) {
    const { funnel, eligible } = this;
    const left = funnel[i]?.remaining;
    const before = i === 0 ? eligible : (funnel[i - 1]?.remaining ?? null);
    const changed = (event: Event) => this.change(i, fieldValue(event));
    return html`<div class="step">
      <div class="condition-box">
        <input class="mono" ?disabled=${this.isLoading} .value=${part} title=${part} aria-label=${t('screener.condition', { n: i + 1 })} @change=${changed} autocomplete="off" autocapitalize="none" spellcheck="false" />
        <button class="quiet" ?disabled=${this.isLoading} @click=${() => this.change(i, '')} aria-label=${t('screener.remove_of', { condition: part })}>×</button>
      </div>
      ${left === undefined || eligible === null || before === null ? funnelBar(0, null, null) : funnelBar(eligible === 0 ? 0 : left / eligible, left, before - left)}
    </div>`;
  }

  private rule(isKnown: boolean) {
    const { where, elapsed, eligible } = this;
    if (this.isEditing) {
      return html`<form class="rule-line editing" @submit=${this.replaceAll}>
        <rule-editor place="where" .value=${where} label=${t('screener.rule')} hint=${t('screener.rule.hint')}></rule-editor>
        <div class="row">
          <button class="primary">${t('screener.run')}</button>
          <button type="button" @click=${() => {
            this.isEditing = false;
          }}>${t('word.cancel')}</button>
        </div>
      </form>`;
    }
    const edit = () => {
      this.isEditing = true;
    };
    return html`<div class="rule-line">
      <span class="muted">${t('screener.rule')}</span>
      <code>${where === '' ? t('screener.rule.none') : where}</code>
      ${isKnown && elapsed !== null && eligible !== null ? html`<span class="muted small">${t('screener.took', { count: eligible, seconds: number(elapsed / 1000, 2) })}</span>` : nothing}
      <button class="quiet" @click=${edit}>${t('form.edit')}</button>
    </div>`;
  }
}

/** `left`: null until it is counted. */
function funnelBar(share: number, left: number | null, taken: number | null) {
  return html`<svg class="funnel-bar" width="100%" height="24" aria-hidden="true">
      ${svg`<rect class="whole" width="100%" height="24" /><rect class="left" width=${`${(100 * share).toFixed(1)}%`} height="24" />`}
    </svg>
    <p class="funnel-count"><b>${left === null ? '…' : number(left)}</b>${taken === null ? nothing : html`<span class="muted">−${number(taken)}</span>`}</p>`;
}
