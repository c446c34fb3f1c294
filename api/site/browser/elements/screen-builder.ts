/** The conditions of a screen in words, side by side, each with what it leaves; the same as a rule below. Either changes the other. */
import './rule-editor.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { conditionIn, ruleOf } from '../../../../engine/screener/field-rules.ts';
import { fieldsOf, fieldValue, html, nothing, SiteElement, svg, textIn } from '../dom.ts';
import { type Condition, conditionWords, type Dictionary, sayable } from '../screen-words.ts';
import { number } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Screened } from '../types.ts';

type Step = Screened['funnel'][number];

/** A condition to begin with. */
const FIRST: Condition = { field: 'rsi', op: 'lt', period: 14, value: 40, value2: 0 };

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
  @property({ attribute: false }) words!: Dictionary;
  @state() isEditing = false;
  /** Whether conditions are shown as rules: while Alt is held, or until they are switched back. */
  @state() showsRules = false;
  @state() isAltHeld = false;
  /** The condition that is edited in words, with its place. */
  @state() draft: (Condition & { readonly place: number }) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    for (const name of ['keydown', 'keyup', 'blur'] as const) addEventListener(name, this.onAlt);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const name of ['keydown', 'keyup', 'blur'] as const) removeEventListener(name, this.onAlt);
  }

  private readonly onAlt = (event: Event) => {
    this.isAltHeld = event instanceof KeyboardEvent && event.type === 'keydown' && event.key === 'Alt';
  };

  /** The texts of the conditions: those of the result, else the whole rule. */
  private get parts(): readonly string[] {
    const known = this.funnel.map(({ rule }) => rule ?? '');
    if (known.length > 0) return known;
    if (this.where === '') return [];
    return this.isLoading ? this.where.split(' and ') : [this.where];
  }

  private screen(where: string): void {
    this.isEditing = false;
    this.draft = null;
    this.dispatchEvent(new CustomEvent('screen', { detail: where }));
  }

  private change(place: number, text: string): void {
    const parts = this.parts.toSpliced(place, 1, text.trim());
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
          <p class="hint">${t('screener.add.hint')} · <button type="button" class="quiet" ?disabled=${this.isLoading} @click=${() => this.edit(FIRST, this.parts.length)}>${t('screener.add.words')}</button></p>
        </form>
        ${this.draft?.place === this.parts.length ? html`<div class="step">${this.editor(this.draft)}</div>` : nothing}
      </div>
      ${this.rule(funnel.length > 0)}`;
  }

  private step(part: string, i: number) {
    const { funnel, eligible } = this;
    const left = funnel[i]?.remaining;
    const before = i === 0 ? eligible : (funnel[i - 1]?.remaining ?? null);
    const changed = (event: Event) => this.change(i, fieldValue(event));
    const condition = conditionIn(part);
    const words = this.showsRules || this.isAltHeld ? null : conditionWords(this.words, condition);
    const box = html`<div class="condition-box">
        ${
          words === null || condition === null
            ? html`<input class="mono" ?disabled=${this.isLoading} .value=${part} title=${part} aria-label=${t('screener.condition', { n: i + 1 })} @change=${changed} autocomplete="off" autocapitalize="none" spellcheck="false" />`
            : html`<button class="condition-words" ?disabled=${this.isLoading} title=${part} @click=${() => this.edit(condition, i)}><span>${words}</span></button>`
        }
        <button class="quiet" ?disabled=${this.isLoading} @click=${() => this.change(i, '')} aria-label=${t('screener.remove_of', { condition: part })}>×</button>
      </div>`;
    return html`<div class="step">
      ${this.draft?.place === i ? this.editor(this.draft) : box}
      ${left === undefined || eligible === null || before === null ? funnelBar(0, null, null) : funnelBar(eligible === 0 ? 0 : left / eligible, left, before - left)}
    </div>`;
  }

  private async edit(condition: Condition, place: number): Promise<void> {
    this.draft = { ...condition, place };
    await this.updateComplete;
    this.querySelector<HTMLElement>('.condition-editor select')?.focus();
  }

  /** Field, comparison, and value of a condition. */
  private editor(draft: NonNullable<typeof this.draft>) {
    const fields = sayable(this.words);
    const field = fields.find(({ field }) => field === draft.field) ?? fields[0];
    const isFlag = field.kind === 'boolean';
    const operators = this.words.operators.filter(({ arity }) => (arity === 0) === isFlag);
    const arity = operators.find(({ op }) => op === draft.op)?.arity ?? 0;
    const set = (more: Partial<Condition>) => {
      this.draft = { ...draft, ...more };
    };
    const chooseField = (event: Event) => {
      const { field: code, kind, period } = fields.find(({ field }) => field === fieldValue(event)) ?? field;
      const op = kind === field.kind ? draft.op : kind === 'boolean' ? 'is_true' : 'gt';
      set({ field: code, op, period: period?.default ?? null });
    };
    const figure = (name: 'period' | 'value' | 'value2', label: string) =>
      html`<input type="number" step=${name === 'period' ? 1 : 'any'} min=${(name === 'period' && field.period?.min) || nothing} max=${(name === 'period' && field.period?.max) || nothing} required aria-label=${label} .value=${String(draft[name])} @input=${(event: Event) => set({ [name]: Number(fieldValue(event)) })} />`;
    const submit = (event: Event) => {
      event.preventDefault();
      this.change(draft.place, ruleOf(draft) ?? '');
    };
    const cancel = () => {
      this.draft = null;
    };
    return html`<form class="condition-editor" @submit=${submit} @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && cancel()}>
      <div class="pair"><select aria-label=${t('screener.field')} @change=${chooseField}>${fields.map(({ field: code, label }) => html`<option value=${code} ?selected=${code === field.field}>${label}</option>`)}</select>
        ${draft.period === null ? nothing : figure('period', t('screener.period'))}</div>
      <div class="pair"><select aria-label=${t('screener.comparison')} @change=${(event: Event) => set({ op: fieldValue(event) })}>${operators.map(({ op, label }) => html`<option value=${op} ?selected=${op === draft.op}>${label}</option>`)}</select>
        ${arity > 0 ? figure('value', t('screener.value')) : nothing}${arity > 1 ? figure('value2', t('screener.value2')) : nothing}</div>
      <div class="row"><button class="primary">${t('screener.apply')}</button><button type="button" @click=${cancel}>${t('word.cancel')}</button></div>
    </form>`;
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
    const toggle = () => {
      this.showsRules = !this.showsRules;
    };
    return html`<div class="rule-line">
      <span class="muted">${t('screener.rule')}</span>
      <code>${where === '' ? t('screener.rule.none') : where}</code>
      ${isKnown && elapsed !== null && eligible !== null ? html`<span class="muted small">${t('screener.took', { count: eligible, seconds: number(elapsed / 1000, 2) })}</span>` : nothing}
      <button class="quiet" aria-pressed=${this.showsRules ? 'true' : 'false'} title=${t('screener.rules.hint')} @click=${toggle}>${t('screener.rules')}</button>
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
