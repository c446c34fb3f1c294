/** A file of a column, dropped or chosen, with how it is read; sent with its progress. Fires `written` with what became of it. */
import { customElement, state } from 'lit/decorators.js';
import { ApiError, dataOf, path } from '../api.ts';
import { fieldsOf, find, html, nothing, SiteElement, textIn } from '../dom.ts';
import { errorOf, errorsByField, errorText, schemaField } from '../fields.ts';
import { withFile } from '../file-upload.ts';
import { AbortScope, Attempt } from '../load.ts';
import { awaitJob } from '../run/call.ts';
import { sendAsReader } from '../session.ts';
import { number, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { WrittenColumn } from '../types.ts';
import { fold } from './fold.ts';

const CHOICES = {
  form: ['rows', 'intervals', 'snapshots'],
  dimension: ['none', 'shares', 'price', 'money'],
  symbols: ['', 'as_of_date', 'current'],
  mode: ['replace', 'append'],
  kind: ['', 'number', 'label'],
  about: ['value', 'later'],
  day_means: ['after_close', 'before_close'],
} as const;
const MAX_SESSIONS = { lag: 1_000, stale_after: 100_000 } as const;
const MAX_UNIT = 200;
const NAMED = ['name', 'unit', 'market', ...Object.keys(MAX_SESSIONS), ...Object.keys(CHOICES)];
const MAX_NAME = 40;
const TYPES = '.csv,.txt,.tsv,.ndjson,.jsonl,.parquet,.arrow,.gz,.zst,text/csv';

@customElement('column-form')
export class ColumnForm extends SiteElement {
  /** The step of the upload, and its percent; null: none is under way. */
  @state() progress: { readonly step: 'sending' | 'reading'; readonly percent: number } | null = null;
  private readonly sending = new Attempt(this);
  private readonly work = new AbortScope(this);

  private readonly onDrop = (event: DragEvent) => {
    event.preventDefault();
    const { files } = event.dataTransfer ?? {};
    if (!files?.length) return;
    find(this, 'input[type="file"]', HTMLInputElement).files = files;
    this.suggestName();
  };

  private readonly suggestName = () => {
    const [file] = find(this, 'input[type="file"]', HTMLInputElement).files ?? [];
    const name = find(this, 'input[name="name"]', HTMLInputElement);
    if (file && name.value === '') name.value = nameOf(file.name);
  };

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = fieldsOf(event);
    const file = given.get('file');
    if (!(file instanceof File)) return;
    const query = Object.fromEntries(
      NAMED.filter((name) => name !== 'name').map((name) => [name, textIn(given, name)]),
    );
    return this.send(path('/v1/my/columns/{name}', { name: textIn(given, 'name') }), file, query);
  };

  private async send(address: string, file: File, query: Readonly<Record<string, string>>): Promise<void> {
    const signal = this.work.next();
    const show = (step: 'sending' | 'reading') => (percent: number) => {
      this.progress = { step, percent };
    };
    show('sending')(0);
    const { via, headers } = withFile(file, (share) => show('sending')(100 * share));
    await this.sending.make(async () => {
      const options = { query, via, signal, headers: { ...headers, Prefer: 'respond-async' } };
      const response = await sendAsReader('PUT', address, options);
      const isQueued = response.status === 202;
      if (isQueued) show('reading')(0);
      const written = await (isQueued
        ? awaitJob<WrittenColumn>(response, signal, show('reading'))
        : dataOf<WrittenColumn>(response));
      find(this, 'form', HTMLFormElement).reset();
      this.dispatchEvent(new CustomEvent('written', { detail: written }));
    });
    this.progress = null;
  }

  override render() {
    const { progress, sending } = this;
    const { error } = sending;
    const problems = error instanceof ApiError ? error.problems : [];
    const isPlaced = problems.length > 0 && problems.every(({ loc }) => NAMED.includes(String(loc.at(-1))));
    const errors = errorsByField(problems);
    const choose = (name: keyof typeof CHOICES) =>
      schemaField({
        name,
        label: t(name === 'about' ? 'columns.newest' : `columns.${name}`),
        schema: { type: 'string' },
        value: CHOICES[name][0],
        codes: CHOICES[name],
        textOf: (code) => textOr(`columns.${name}.${code || 'default'}`, code),
        error: errorOf(errors, name),
      });
    const sessions = (name: keyof typeof MAX_SESSIONS, placeholder: string) =>
      schemaField({
        name,
        label: t(`columns.${name}`),
        schema: { type: 'integer', minimum: 0, maximum: MAX_SESSIONS[name] },
        value: undefined,
        isOptional: true,
        placeholder,
        error: errorOf(errors, name),
      });
    const others = [
      choose('mode'),
      choose('kind'),
      choose('about'),
      choose('day_means'),
      sessions('stale_after', t('columns.automatic')),
    ];
    return html`<form class="notice column-form" @submit=${this.submit} @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.onDrop}>
      <label class="field"><span>${t('columns.file')}</span><input type="file" name="file" required accept=${TYPES} @change=${this.suggestName} /></label>
      <div class="fields">
        <label class="field"><span>${t('columns.name')}</span><input name="name" required maxlength=${MAX_NAME} pattern="[a-z][a-z0-9_]*" title=${t('columns.name.hint')} aria-invalid=${errorOf(errors, 'name') ? 'true' : nothing} autocomplete="off" autocapitalize="none" spellcheck="false" />${errorText(errorOf(errors, 'name'))}</label>
        ${choose('form')} ${sessions('lag', t('columns.automatic'))} ${choose('dimension')} ${choose('symbols')}
        <label class="field"><span>${t('columns.unit')}</span><input name="unit" maxlength=${MAX_UNIT} list="column-units" placeholder=${t('word.none')} autocomplete="off" />${errorText(errorOf(errors, 'unit'))}</label>
        <datalist id="column-units"><option value="percent_per_year"></option></datalist>
        <label class="field check"><input type="checkbox" name="market" value="true" /><span>${t('columns.market')}</span></label>
      </div>
      ${fold({ title: t('columns.more'), now: '', fields: html`<div class="fields">${others}</div>` })}
      <p class="row"><button class="primary" ?disabled=${sending.isBusy}>${t('columns.load')}</button>
        ${
          progress === null
            ? nothing
            : html`<progress max="100" .value=${progress.percent} aria-label=${t(`columns.${progress.step}`, { percent: number(progress.percent, 0) })}></progress>
            <span class="muted small" role="status">${t(`columns.${progress.step}`, { percent: number(progress.percent, 0) })}</span>`
        }</p>
      ${isPlaced ? nothing : sending.failure()}
    </form>`;
  }
}

/** The name of a file as that of a column; empty where nothing of it can be one. */
function nameOf(file: string): string {
  const words = file
    .toLowerCase()
    .split('.')[0]
    .replaceAll(/[^a-z0-9]+/g, '_');
  return words
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_NAME)
    .replace(/_+$/, '');
}
