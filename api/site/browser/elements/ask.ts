/** A dialog that asks for confirmation before something that cannot be undone. */

import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, find, html, nothing, SiteElement } from '../dom.ts';
import { t } from '../text.ts';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The verb of the button that confirms. */
  readonly action: string;
  /** The text that the reader must type, exactly, to confirm. */
  readonly typed?: { readonly label: string; readonly text: string };
}

@customElement('ask-dialog')
export class AskDialog extends SiteElement {
  @property({ attribute: false }) question!: Question;
  @state() typed = '';
  readonly answer = Promise.withResolvers<boolean>();

  protected override firstUpdated(): void {
    const dialog = find(this, 'dialog', HTMLDialogElement);
    dialog.showModal();
    dialog.addEventListener('close', () => {
      this.remove();
      this.answer.resolve(dialog.returnValue === 'yes');
    });
  }

  private readonly onInput = (event: InputEvent) => {
    this.typed = fieldValue(event);
  };

  override render() {
    const { title, text, action, typed } = this.question;
    const isReady = !typed || this.typed.trim().toLowerCase() === typed.text.toLowerCase();
    return html`<dialog aria-labelledby="ask-title">
      <h2 id="ask-title">${title}</h2>
      <form method="dialog">
        <p>${text}</p>
        ${
          typed
            ? html`<label class="field"><span>${typed.label}</span><input autocomplete="off" @input=${this.onInput} /></label>`
            : nothing
        }
        <div class="row">
          <button value="yes" class="danger" ?disabled=${!isReady}>${action}</button>
          <button value="no" formnovalidate>${t('word.cancel')}</button>
        </div>
      </form>
    </dialog>`;
  }
}

/** Resolves with whether the reader confirms. */
export function ask(question: Question): Promise<boolean> {
  const dialog = new AskDialog();
  dialog.question = question;
  document.body.append(dialog);
  return dialog.answer.promise;
}
