/** The set-up of a judgement: the file, and how it is read. */
import { customElement } from 'lit/decorators.js';
import { find, html, textIn } from '../dom.ts';
import { errorOf, Fields, schemaField } from '../fields.ts';
import type { Settings } from '../run/specification.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import { RATES } from './rate-list.ts';
import { RunFormElement } from './run-form.ts';

const FORMS = ['returns', 'equity', 'trades'] as const;
const FREQUENCIES = ['', 'day', 'week', 'month'] as const;
const NAMED = ['form', 'benchmark', 'frequency', 'risk_free', 'trials', 'sharpe', 'prior'] as const;
const NUMBERS = {
  trials: { type: 'integer', minimum: 1, maximum: 1_000_000 },
  sharpe: { type: 'number', minimum: 0.01, maximum: 10, default: 0.5 },
  prior: { type: 'number', minimum: 0.0001, maximum: 0.9999, default: 0.05 },
} as const;
const TYPES = '.csv,.txt,.tsv,.ndjson,.jsonl,.parquet,.arrow,.gz,.zst,text/csv';

/** A file with the query of its call. */
export interface GivenRecord {
  readonly file: File;
  readonly query: Settings;
}

@customElement('judge-form')
export class JudgeForm extends RunFormElement {
  override readonly settings: Settings = {};

  protected override bodyOf(_form: HTMLFormElement, given: FormData): GivenRecord | null {
    const file = given.get('file');
    if (!(file instanceof File)) return null;
    const query = NAMED.map((name) => [name, textIn(given, name)]).filter(([, value]) => value !== '');
    return { file, query: Object.fromEntries(query) };
  }

  private readonly onDrop = (event: DragEvent) => {
    event.preventDefault();
    const { files } = event.dataTransfer ?? {};
    if (files?.length) find(this, 'input[type="file"]', HTMLInputElement).files = files;
  };

  private choice(name: 'form' | 'frequency', codes: readonly string[]) {
    const textOf = (code: string) => textOr(`judge.${name}.${code}`, code);
    return schemaField({ name, label: t(`judge.${name}`), schema: { type: 'string' }, value: codes[0], codes, textOf });
  }

  private number(name: keyof typeof NUMBERS, placeholder?: string) {
    const schema = NUMBERS[name];
    const value = 'default' in schema ? schema.default : undefined;
    const error = errorOf(this.fieldErrors, name);
    return schemaField({ name, label: t(`judge.${name}`), schema, value, error, isOptional: true, placeholder });
  }

  override render() {
    this.fields = new Fields({}, this.fieldErrors);
    const { fields, present } = this;
    const text = (name: 'benchmark' | 'risk_free', label: string, list?: string) =>
      schemaField({
        name,
        label,
        schema: { type: 'string' },
        value: '',
        error: fields.error(name),
        isOptional: true,
        list,
      });
    const content = html`<div @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.onDrop}>
        <label class="field"><span>${t('judge.file')}</span><input type="file" name="file" required accept=${TYPES} aria-describedby="judge-file-hint" />
          <span class="hint" id="judge-file-hint">${t('judge.file.hint')}</span></label>
      </div>
      ${this.choice('form', FORMS)} ${text('benchmark', t('judge.benchmark'))}
      <p class="muted small">${t('judge.benchmark.hint')}</p>
      ${this.number('trials', t('judge.trials.few'))} ${this.choice('frequency', FREQUENCIES)}
      ${fields.group(t('form.risk_free'), present.values.risk_free || t('word.none'), () => [text('risk_free', t('form.risk_free'), RATES), html`<rate-list></rate-list>`])}
      ${fields.group(t('judge.assumptions'), '', () => [this.number('sharpe'), this.number('prior')])}`;
    return this.frame(content, { action: t('judge.run') });
  }
}
