/** The set-up of a question: the condition, among which instruments, and what its returns are compared with. */
import { customElement, property, state } from 'lit/decorators.js';
import { fieldValue, html, nothing, textIn } from '../dom.ts';
import { errorText, Fields, readFields } from '../fields.ts';
import { myList } from '../kept-list.ts';
import { FIRST_QUESTION, type OutcomesBody } from '../run/outcomes.ts';
import { literal, literalsIn, type Settings, settingsOf } from '../run/specification.ts';
import { symbolsIn, textOr, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import './rule-editor.ts';
import { CUSTOM, endGroup, rangeButtons, rangeOf } from './run-fields.ts';
import { RunFormElement } from './run-form.ts';
import { listField, readList, universeField } from './universe-fields.ts';

const UNIVERSES = ['default', 'stock', 'etf', 'all', 'symbols'] as const;
type Universe = (typeof UNIVERSES)[number];
const HITS = ['beginnings', 'apart', 'all'] as const;
type Hits = (typeof HITS)[number];

/** Sessions without a hit, to begin with. */
const APART = 20;

@customElement('outcome-form')
export class OutcomeForm extends RunFormElement {
  /** The initial values of the form. */
  @property({ attribute: false }) body: OutcomesBody = FIRST_QUESTION;
  @state() universe!: Universe;
  @state() hits!: Hits;
  @state() range!: string;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('body')) return;
    const { universe, first = true } = this.body;
    this.universe = kindOf(universe);
    this.hits = typeof first === 'object' ? 'apart' : first ? 'beginnings' : 'all';
    this.range = rangeOf(this.body);
  }

  override get settings(): Settings {
    const { time_range, start, end } = this.body;
    return settingsOf({ time_range, start, end });
  }

  protected override bodyOf(form: HTMLFormElement, given: FormData): OutcomesBody {
    const { start, end, entry, compare } = readFields<OutcomesBody>(form);
    const { adjust } = this.body;
    const wanted = symbolsIn(textIn(given, 'for'));
    const by = textIn(given, 'by');
    const first = { beginnings: true, all: false, apart: { sessions: literal(textIn(given, 'apart')) } }[this.hits];
    return {
      condition: textIn(given, 'condition'),
      ...(wanted.length > 0 && { for: wanted }),
      ...this.members(given),
      first,
      horizons: literalsIn(textIn(given, 'horizons')),
      entry,
      compare,
      ...(by !== '' && { by }),
      ...(this.range === CUSTOM ? { start } : { time_range: this.range }),
      ...(end && { end }),
      // The form has no field for it.
      ...(adjust && { adjust }),
    };
  }

  private members(given: FormData): Pick<OutcomesBody, 'universe'> {
    const { universe } = this;
    if (universe === 'default') return {};
    const where = textIn(given, 'where');
    const rule = where === '' ? {} : { where };
    if (universe === 'symbols') return { universe: { symbols: readList(given), ...rule } };
    // Several types, of a call that the form did not make, stay.
    const type = universe === 'all' ? this.body.universe?.asset_type : universe;
    return {
      universe: { all: true, ...((universe !== 'all' || Array.isArray(type)) && { asset_type: type }), ...rule },
    };
  }

  override render() {
    const fields = new Fields(this.body, this.fieldErrors);
    this.fields = fields;
    const chooseRange = (range: string) => {
      this.range = range;
    };
    const codes = (name: string) => ({ textOf: (code: string) => textOr(`outcomes.${name}.${code}`, code) });
    const { condition, by, horizons = [1, 5, 20] } = this.body;
    const wrong = fields.error('horizons');
    const draw = () =>
      html`<rule-editor place="where" name="by" label=${t('form.by')} hint=${t('outcomes.by.hint')} .hasPeers=${true} .value=${by ?? ''} .error=${fields.error('by')}></rule-editor>`;
    const content = html`<rule-editor place="where" name="condition" label=${t('form.condition')} hint=${t('outcomes.condition.hint')}
        .hasPeers=${true} .isRequired=${true} .value=${condition} .error=${fields.error('condition')}></rule-editor>
      ${this.wanted()} ${this.instruments()} ${this.which()}
      <label class="field"><span>${t('form.horizons')}</span>
        <input name="horizons" .value=${horizons.join(', ')} required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="horizons-hint" aria-invalid=${wrong ? 'true' : nothing} />
        <span class="hint" id="horizons-hint">${t('outcomes.horizons.hint')}</span>${errorText(wrong)}</label>
      ${fields.field('compare', t('outcomes.compare'), codes('compare'))} ${fields.field('entry', t('outcomes.entry'), codes('entry'))}
      ${rangeButtons(this, this.range, chooseRange)}
      ${fields.group(t('form.by'), this.present.values.by || by || t('word.none'), draw)}
      ${endGroup(this, this.present.values)}`;
    return this.frame(content, { action: t('outcomes.run') });
  }

  private wanted() {
    const error = this.fields.error('for') ?? (this.universe === 'symbols' ? undefined : this.fields.error('symbols'));
    const { for: wanted } = this.body;
    return html`<label class="field"><span>${t('form.for')}</span>
      <input name="for" class="mono" .value=${wanted?.map(ticker).join(' ') ?? ''} placeholder=${t('outcomes.for.all')} autocomplete="off" autocapitalize="characters" spellcheck="false" aria-invalid=${error ? 'true' : nothing} />
      ${errorText(error)}</label>`;
  }

  private instruments() {
    const { universe = {} } = this.body;
    const choose = (kind: Universe) => {
      this.universe = kind;
    };
    const nameOf = (kind: Universe) => (kind === 'default' ? t('outcomes.universe.default') : t(`universe.${kind}`));
    return html`${universeField(UNIVERSES, this.universe, nameOf, choose)}
      ${this.universe === 'symbols' ? listField(universe?.symbols ?? myList(), this.fields, null) : nothing}
      ${this.universe === 'default' ? nothing : html`<rule-editor place="where" label=${t('rotation.where')} hint=${t('factors.where.hint')} .hasPeers=${true} .value=${universe?.where ?? ''} .error=${this.fields.error('universe.where')}></rule-editor>`}`;
  }

  private which() {
    const { first } = this.body;
    const sessions = typeof first === 'object' ? first?.sessions : APART;
    const error = this.fields.error('first');
    const choose = (event: Event) => {
      this.hits = HITS.find((one) => one === fieldValue(event)) ?? 'beginnings';
    };
    return html`<label class="field"><span>${t('outcomes.first')}</span>
        <select name="which" @change=${choose}>${HITS.map((one) => html`<option value=${one} ?selected=${one === this.hits}>${t(`outcomes.first.${one}`)}</option>`)}</select></label>
      ${
        this.hits === 'apart'
          ? html`<label class="field"><span>${t('outcomes.apart')}</span><input type="number" name="apart" min="1" max="252" required .value=${String(sessions)} aria-invalid=${error ? 'true' : nothing} />${errorText(error)}</label>`
          : nothing
      }`;
  }
}

function kindOf(universe: OutcomesBody['universe']): Universe {
  if (universe === undefined || universe === null) return 'default';
  if (universe.symbols) return 'symbols';
  return UNIVERSES.find((one) => one === universe.asset_type) ?? 'all';
}
