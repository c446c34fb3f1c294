/** A text field for a rule, with completion, and with its errors below while it is written. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, find, html, nothing, SiteElement } from '../dom.ts';
import { AbortScope } from '../load.ts';
import { RULE_PARTS, type Rules } from '../run/specification.ts';
import { post } from '../session.ts';
import { t } from '../tool-text.ts';
import type { RuleCheck, RulePart } from '../types.ts';

const PAUSE_MS = 200;
let editors = 0;

type Choice = RuleCheck['completions']['choices'][number];

@customElement('rule-editor')
export class RuleEditor extends SiteElement {
  /** Part of a strategy or of a screen. */
  @property() place: RulePart = 'entry';
  /** The name of the field in its form; empty: its place. */
  @property() name = '';
  @property() value = '';
  @property() label = '';
  @property() hint = '';
  @property({ attribute: false }) isRequired = false;
  /** The error that a call found in it, until it is changed. */
  @property({ attribute: false }) error: string | undefined;
  /** Whether the rule may compare instruments where others of its place may not. */
  @property({ attribute: false }) hasPeers = false;
  /** The newest check; null: the text has not been checked. */
  @state() checked: RuleCheck | null = null;
  @state() current = 0;
  @state() isOpen = false;
  private readonly id_ = `rule-${++editors}`;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly work = new AbortScope(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    const isSetFromOutside = !this.hasUpdated || this.field.value !== this.value;
    if (changed.has('value') && isSetFromOutside) this.checkSoon(false);
  }

  private get field(): HTMLTextAreaElement {
    return find(this, 'textarea', HTMLTextAreaElement);
  }

  private readonly onInput = (event: InputEvent) => {
    this.value = fieldValue(event);
    this.error = undefined;
    this.isOpen = false;
    this.checkSoon(true);
  };

  private checkSoon(mayOpen: boolean): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(mayOpen), PAUSE_MS);
  }

  /** If the check fails, the field stays as it is: an error then shows when the rule runs. */
  private async check(mayOpen: boolean): Promise<void> {
    const signal = this.work.next();
    const text = this.value;
    if (text.trim() === '' && !mayOpen) {
      this.show(null, false);
      return;
    }
    const cursor = this.hasUpdated ? this.field.selectionStart : text.length;
    const body = { text, part: this.place, peers: this.hasPeers, cursor };
    const checked = await post<RuleCheck>('/v1/rules/check', body, { signal }).catch(() => null);
    if (!signal.aborted) this.show(checked, mayOpen);
  }

  private show(checked: RuleCheck | null, mayOpen: boolean): void {
    this.checked = checked;
    this.current = 0;
    const { position, choices } = checked?.completions ?? { position: { from: 0, to: 0 }, choices: [] };
    this.isOpen = mayOpen && choices.length > 0 && (position.to > position.from || this.value.trim() === '');
    this.dispatchEvent(new CustomEvent('check', { bubbles: true }));
  }

  private readonly onKeydown = (event: KeyboardEvent) => {
    const { key, ctrlKey } = event;
    const choices = this.checked?.completions.choices ?? [];
    if (ctrlKey && key === ' ') {
      event.preventDefault();
      this.isOpen = choices.length > 0;
      this.checkSoon(true);
      return;
    }
    // A rule is one line, whatever its length.
    if (key === 'Enter') event.preventDefault();
    if (!this.isOpen) {
      if (key === 'Enter') this.field.form?.requestSubmit();
      return;
    }
    if (key === 'Escape') this.isOpen = false;
    else if (key === 'Enter') this.choose(choices[this.current]);
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const step = key === 'ArrowDown' ? 1 : -1;
      this.current = (this.current + step + choices.length) % choices.length;
    }
  };

  /** Inserts a choice; of a function, the first argument is selected, to be overwritten. */
  private choose({ text }: Choice): void {
    const { from, to } = this.checked?.completions.position ?? { from: 0, to: 0 };
    const { field } = this;
    const isCall = text.endsWith(')');
    field.setRangeText(isCall ? text : `${text} `, from, to, 'end');
    const argument = isCall ? /\(([^,)]*)/.exec(text) : null;
    if (argument !== null) {
      const start = from + argument.index + 1;
      field.setSelectionRange(start, start + argument[1].length);
    }
    this.value = field.value;
    this.isOpen = false;
    this.checkSoon(false);
  }

  private readonly onBlur = () => {
    this.isOpen = false;
  };

  override render() {
    const { id_, place, name, label, value, isRequired, isOpen, error } = this;
    const isWrong = this.isWrong();
    return html`<label class="field">
        <span>${label}</span>
        <textarea
          class="rule"
          name=${name || place}
          rows="2"
          spellcheck="false"
          autocomplete="off"
          autocapitalize="none"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls=${`${id_}-list`}
          aria-activedescendant=${isOpen ? `${id_}-${this.current}` : nothing}
          aria-invalid=${isWrong || error ? 'true' : nothing}
          aria-describedby=${`${id_}-status`}
          ?required=${isRequired}
          .value=${value}
          @input=${this.onInput}
          @keydown=${this.onKeydown}
          @blur=${this.onBlur}
        ></textarea>
      </label>
      <div class="rule-choices">
        <ul id=${`${id_}-list`} class="suggestions" role="listbox" aria-label=${t('rule.choices')} ?hidden=${!isOpen}>
          ${this.checked?.completions.choices.map((choice, i) => this.choice(choice, i))}
        </ul>
      </div>
      <p id=${`${id_}-status`} class="rule-status" role="status">${isWrong ? this.wrong() : error ? html`<span class="field-error">${error}</span>` : html`<span class="hint">${this.hint}</span>`}</p>`;
  }

  /** An unfinished rule is wrong too, once its writer pauses: its error says what may follow. */
  private isWrong(): boolean {
    return this.value.trim() !== '' && (this.checked?.problems.length ?? 0) > 0;
  }

  private choice(choice: Choice, i: number) {
    const take = (event: MouseEvent) => {
      event.preventDefault();
      this.choose(choice);
    };
    return html`<li id=${`${this.id_}-${i}`} role="option" aria-selected=${i === this.current} @mousedown=${take}>
      <b><code>${choice.usage}</code></b><span>${choice.description}</span>
    </li>`;
  }

  private wrong() {
    const [problem] = this.checked?.problems ?? [];
    if (problem === undefined) return nothing;
    const { from, to } = problem.position;
    const { value } = this;
    return html`<span class="field-error">${problem.msg}</span>
      <code>${value.slice(0, from)}<mark>${value.slice(from, to) || ' '}</mark>${value.slice(to)}</code>`;
  }
}

@customElement('rule-fields')
export class RuleFields extends SiteElement {
  /** The initial texts. */
  @property({ attribute: false }) rules: Rules = { entry: '' };
  /** Whether the rules are of a portfolio, whose instruments they may compare. */
  @property({ attribute: false }) hasPeers = false;
  /** Names of the parameters so far. */
  @property({ attribute: false }) names: readonly string[] = [];

  private readonly onCheck = () => {
    const editors = [...this.querySelectorAll('rule-editor')].filter((one) => one instanceof RuleEditor);
    const named = editors.flatMap(({ checked }) => checked?.parameters ?? []).map(({ name }) => name);
    // A rule that is wrong or not yet checked has no known parameters: their fields stay.
    const isUnknown = ({ value, checked }: RuleEditor) => value.trim() !== '' && checked === null;
    if (editors.some((one) => isUnknown(one) || (one.checked?.problems.length ?? 0) > 0)) named.push(...this.names);
    this.dispatchEvent(new CustomEvent('parameters', { detail: [...new Set(named)] }));
  };

  override render() {
    const { rules } = this;
    const editor = (part: keyof Rules) =>
      html`<rule-editor place=${part} .value=${rules[part] ?? ''} label=${t(`rule.${part}`)} hint=${t(`rule.${part}.hint`)} .isRequired=${part === 'entry'} .hasPeers=${this.hasPeers}></rule-editor>`;
    return html`<div @check=${this.onCheck}>
      ${editor('entry')} ${editor('exit')}
      <details ?open=${rules.stop !== undefined || rules.trail !== undefined}>
        <summary>${t('rule.stops')}</summary>
        ${editor('stop')} ${editor('trail')}
      </details>
    </div>`;
  }
}

/** The rules of a form with one set of these fields. */
export function readRules(form: FormData): Rules {
  return rulesOf(RULE_PARTS.map((part) => [part, String(form.get(part) ?? '')]));
}

/** The rules in the fields within an element. */
export function rulesWithin(root: ParentNode): Rules {
  const editors = [...root.querySelectorAll('rule-editor')].filter((one) => one instanceof RuleEditor);
  return rulesOf(editors.map(({ place, value }) => [place, value]));
}

function rulesOf(texts: readonly (readonly [string, string])[]): Rules {
  const given = texts.map(([part, text]) => [part, text.trim()] as const).filter(([, text]) => text !== '');
  return { entry: '', ...Object.fromEntries(given) };
}
