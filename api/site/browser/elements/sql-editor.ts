/** A text field for SQL, with completion: Tab takes a choice, arrows move in them, and Ctrl+Enter runs the query. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, find, html, nothing, SiteElement } from '../dom.ts';
import { type SqlCompletion, sqlCompletion } from '../sql-completion.ts';
import { t } from '../tool-text.ts';

const NONE: SqlCompletion = { from: 0, to: 0, choices: [] };

/** Fires `query` with the text when it changes, and `run` when the reader asks for its result. */
@customElement('sql-editor')
export class SqlEditor extends SiteElement {
  @property() value = '';
  @state() completion = NONE;
  @state() current = 0;
  /** Whether the reader has moved to a choice, which Enter then takes. */
  @state() isMoved = false;

  private get field(): HTMLTextAreaElement {
    return find(this, 'textarea', HTMLTextAreaElement);
  }

  private take(value: string): void {
    this.value = value;
    this.dispatchEvent(new CustomEvent('query', { detail: value }));
  }

  private show(completion: SqlCompletion): void {
    this.completion = completion;
    this.current = 0;
    this.isMoved = false;
  }

  private readonly onInput = (event: Event) => {
    this.take(fieldValue(event));
    const completion = sqlCompletion(this.value, this.field.selectionStart);
    this.show(completion.from === completion.to ? NONE : completion);
  };

  private readonly close = () => this.show(NONE);

  private readonly onKeydown = (event: KeyboardEvent) => {
    const { key } = event;
    const { choices } = this.completion;
    const isControl = event.ctrlKey || event.metaKey;
    if (key === 'Enter' && isControl) {
      event.preventDefault();
      this.close();
      this.dispatchEvent(new CustomEvent('run'));
    } else if (key === ' ' && isControl) {
      event.preventDefault();
      this.show(sqlCompletion(this.value, this.field.selectionStart));
    } else if (choices.length > 0) this.onChoiceKey(event, choices.length);
  };

  private onChoiceKey(event: KeyboardEvent, count: number): void {
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (key === 'Escape') this.close();
    else if (key === 'Tab' || (key === 'Enter' && this.isMoved)) this.choose(this.current);
    else if (step === undefined) return;
    else {
      this.current = (this.current + step + count) % count;
      this.isMoved = true;
    }
    event.preventDefault();
  }

  private choose(place: number): void {
    const { from, to, choices } = this.completion;
    const { field } = this;
    field.setRangeText(choices[place].text, from, to, 'end');
    this.take(field.value);
    this.close();
  }

  /** Writes a name where the cursor is. */
  insert(text: string): void {
    const { field } = this;
    field.focus();
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    this.take(field.value);
  }

  override render() {
    const { completion, current } = this;
    const { choices } = completion;
    const isOpen = choices.length > 0;
    return html`<label class="field"><span>${t('sql.query')}</span>
        <textarea class="sql" rows="8" spellcheck="false" autocapitalize="off" autocomplete="off" maxlength="20000" required
          aria-autocomplete="list" aria-haspopup="listbox" aria-controls="sql-choices"
          aria-activedescendant=${isOpen ? `sql-choice-${current}` : nothing}
          .value=${this.value} @input=${this.onInput} @keydown=${this.onKeydown} @blur=${this.close}></textarea>
      </label>
      <div class="rule-choices">
        <ul id="sql-choices" class="suggestions" role="listbox" aria-label=${t('rule.choices')} ?hidden=${!isOpen}>
          ${choices.map(
            ({ text, of }, i) =>
              html`<li id=${`sql-choice-${i}`} role="option" aria-selected=${i === current} @mousedown=${(
                event: Event,
              ) => {
                event.preventDefault();
                this.choose(i);
              }}><b><code>${text}</code></b><span>${of}</span></li>`,
          )}
        </ul>
      </div>`;
  }
}
