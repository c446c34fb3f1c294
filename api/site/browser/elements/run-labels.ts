/** A dialog in which the reader names and tags a kept run. */
import { customElement, property } from 'lit/decorators.js';
import { fieldsOf, find, html, SiteElement, textIn } from '../dom.ts';
import { t } from '../tool-text.ts';
import type { History } from '../types.ts';

export interface Labels {
  readonly name: string | null;
  readonly tags: readonly string[];
}

@customElement('run-labels')
export class RunLabels extends SiteElement {
  @property({ attribute: false }) labels!: Labels;
  readonly answer = Promise.withResolvers<Labels | null>();
  private given: Labels | null = null;

  protected override firstUpdated(): void {
    const dialog = find(this, 'dialog', HTMLDialogElement);
    dialog.showModal();
    dialog.addEventListener('close', () => {
      this.remove();
      this.answer.resolve(this.given);
    });
  }

  private readonly submit = (event: SubmitEvent) => {
    if (event.submitter?.getAttribute('value') !== 'save') return;
    const form = fieldsOf(event);
    const tags = textIn(form, 'tags')
      .split(',')
      .map((tag) => tag.trim());
    this.given = { name: textIn(form, 'name') || null, tags: tags.filter((tag) => tag !== '') };
  };

  override render() {
    const { name, tags } = this.labels;
    return html`<dialog aria-labelledby="labels-title">
      <h2 id="labels-title">${t('runs.labels')}</h2>
      <form method="dialog" @submit=${this.submit}>
        <label class="field"><span>${t('word.name')}</span><input name="name" maxlength="100" autocomplete="off" .value=${name ?? ''} /></label>
        <label class="field"><span>${t('runs.tags')}</span><input name="tags" maxlength="300" autocomplete="off" .value=${tags.join(', ')} /></label>
        <div class="row">
          <button value="save" class="primary">${t('word.save')}</button>
          <button value="cancel" type="submit" formnovalidate>${t('word.cancel')}</button>
        </div>
      </form>
    </dialog>`;
  }
}

/** Resolves with the new name and tags; null: the reader leaves them as they are. */
export function askLabels({ name, tags }: History['items'][number]): Promise<Labels | null> {
  const dialog = new RunLabels();
  dialog.labels = { name, tags };
  document.body.append(dialog);
  return dialog.answer.promise;
}
