/** A dialog that asks for a few values and does with them what its button says. It closes when that is done, and tells what went wrong. */
import { customElement, property } from 'lit/decorators.js';
import { fieldsOf, find, html, nothing, SiteElement } from '../dom.ts';
import { Attempt } from '../load.ts';
import { t } from '../tool-text.ts';

interface AskedField {
  readonly name: string;
  readonly label: string;
  /** A text, or whether a box is ticked. */
  readonly value: string | boolean;
  readonly isRequired?: boolean;
}

export interface AskedForm {
  readonly title: string;
  /** The verb of the button. */
  readonly action: string;
  readonly fields: readonly AskedField[];
  /** Shown while the work goes on. */
  readonly waiting?: string;
  readonly work: (form: FormData) => Promise<unknown>;
}

const MAX_LENGTH = 300;

@customElement('ask-fields')
export class AskFields extends SiteElement {
  @property({ attribute: false }) form!: AskedForm;
  readonly answer = Promise.withResolvers<boolean>();
  private readonly attempt = new Attempt(this);

  protected override firstUpdated(): void {
    const dialog = find(this, 'dialog', HTMLDialogElement);
    dialog.showModal();
    dialog.addEventListener('close', () => {
      this.remove();
      this.answer.resolve(this.attempt.isDone);
    });
  }

  private readonly close = () => find(this, 'dialog', HTMLDialogElement).close();

  private readonly submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    if (await this.attempt.make(() => this.form.work(form))) this.close();
  };

  override render() {
    const { title, action, fields, waiting } = this.form;
    const { isBusy } = this.attempt;
    return html`<dialog aria-labelledby="fields-title">
      <h2 id="fields-title">${title}</h2>
      <form @submit=${this.submit}>
        ${fields.map(({ name, label, value, isRequired = false }) =>
          typeof value === 'boolean'
            ? html`<label class="field check"><input type="checkbox" name=${name} .checked=${value} /><span>${label}</span></label>`
            : html`<label class="field"><span>${label}</span><input name=${name} maxlength=${MAX_LENGTH} ?required=${isRequired} autocomplete="off" .value=${value} /></label>`,
        )}
        ${this.attempt.failure()} ${isBusy && waiting !== undefined ? html`<p class="muted" role="status">${waiting}</p>` : nothing}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${action}</button>
          <button type="button" @click=${this.close}>${t('word.cancel')}</button>
        </div>
      </form>
    </dialog>`;
  }
}

/** Resolves with whether the work was done. */
export function askFields(form: AskedForm): Promise<boolean> {
  const dialog = new AskFields();
  dialog.form = form;
  document.body.append(dialog);
  return dialog.answer.promise;
}
