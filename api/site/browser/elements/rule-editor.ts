/** A field for a rule: told below what is wrong while it is written, and completed. Its textarea has `name` in a form. */
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { chosenIn, find } from '../dom.ts';
import { SiteElement } from '../element.ts';
import { Work } from '../load.ts';
import { post } from '../session.ts';
import { t } from '../text.ts';
import type { RuleCheck, RulePart } from '../types.ts';

const PAUSE_MS = 200;
let editors = 0;

type Choice = RuleCheck['completions']['choices'][number];

@customElement('rule-editor')
export class RuleEditor extends SiteElement {
  /** Kind of the rule: of a strategy or of a screen. It is the name of the field, too. */
  @property() place: RulePart = 'entry';
  @property() value = '';
  @property() label = '';
  @property() hint = '';
  @property({ attribute: false }) isRequired = false;
  /** The newest check; null: nothing is known of the text. */
  @state() checked: RuleCheck | null = null;
  @state() current = 0;
  @state() isOpen = false;
  private readonly id_ = `rule-${++editors}`;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly work = new Work(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    const isGiven = !this.hasUpdated || this.field.value !== this.value;
    if (changed.has('value') && isGiven) this.askSoon(false);
  }

  private get field(): HTMLTextAreaElement {
    return find(this, 'textarea', HTMLTextAreaElement);
  }

  private readonly typed = (event: InputEvent) => {
    this.value = chosenIn(event);
    this.isOpen = false;
    this.askSoon(true);
  };

  private askSoon(mayOpen: boolean): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(mayOpen), PAUSE_MS);
  }

  /** Without an answer the field stays as it is; a fault then shows when the rule runs. */
  private async ask(mayOpen: boolean): Promise<void> {
    const signal = this.work.next();
    const text = this.value;
    if (text.trim() === '' && !mayOpen) {
      this.show(null, false);
      return;
    }
    const cursor = this.hasUpdated ? this.field.selectionStart : text.length;
    const body = { text, part: this.place, cursor };
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

  private readonly pressed = (event: KeyboardEvent) => {
    const { key, ctrlKey } = event;
    const choices = this.checked?.completions.choices ?? [];
    if (ctrlKey && key === ' ') {
      event.preventDefault();
      this.isOpen = choices.length > 0;
      this.askSoon(true);
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

  /** Writes a choice; of a call its first argument is selected, to be written over. */
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
    this.askSoon(false);
  }

  private readonly left = () => {
    this.isOpen = false;
  };

  override render() {
    const { id_, place, label, value, isRequired, isOpen } = this;
    const isWrong = this.isWrong();
    return html`<label class="field">
        <span>${label}</span>
        <textarea
          class="rule"
          name=${place}
          rows="2"
          spellcheck="false"
          autocomplete="off"
          autocapitalize="none"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls=${`${id_}-list`}
          aria-activedescendant=${isOpen ? `${id_}-${this.current}` : nothing}
          aria-invalid=${isWrong ? 'true' : nothing}
          aria-describedby=${`${id_}-said`}
          ?required=${isRequired}
          .value=${value}
          @input=${this.typed}
          @keydown=${this.pressed}
          @blur=${this.left}
        ></textarea>
      </label>
      <div class="rule-choices">
        <ul id=${`${id_}-list`} class="suggestions" role="listbox" aria-label=${t('rule.choices')} ?hidden=${!isOpen}>
          ${this.checked?.completions.choices.map((choice, i) => this.choice(choice, i))}
        </ul>
      </div>
      <p id=${`${id_}-said`} class="rule-said" role="status">${isWrong ? this.wrong() : html`<span class="hint">${this.hint}</span>`}</p>`;
  }

  /** A rule that is not finished is told when its writer pauses, with what may follow. */
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
    return html`<span class="fault">${problem.msg}</span>
      <code>${value.slice(0, from)}<mark>${value.slice(from, to) || ' '}</mark>${value.slice(to)}</code>`;
  }
}
