/** The fields that name many instruments, a list of symbols or a screen at the last session before the range, and their benchmark. */
import { fieldValue, html, nothing, textIn } from '../dom.ts';
import { errorText, type Fields, schemaField, schemaOf } from '../fields.ts';
import { keptList } from '../kept-list.ts';
import type { Settings } from '../run/specification.ts';
import { symbolsIn } from '../text.ts';
import { t } from '../tool-text.ts';

/** Instruments that a screen may find. */
const DEFAULT_LIMIT = 50;
const EXAMPLE_RULE = 'close > sma(200) and rsi(14) < 40';

/** A rule that instruments fulfill, and how many of them are taken at most. */
export interface RuleScreen {
  readonly where: string;
  readonly limit: number;
}

export const UNIVERSE_KINDS = ['symbols', 'screen'] as const;

/** A choice of how the instruments are named. */
export function universeField<Kind extends string>(
  kinds: readonly Kind[],
  chosen: Kind,
  textOf: (kind: Kind) => string,
  choose: (kind: Kind) => void,
) {
  const onChange = (event: Event) => choose(kinds.find((kind) => kind === fieldValue(event)) ?? chosen);
  return html`<label class="field"><span>${t('universe')}</span>
    <select name="universe_kind" @change=${onChange}>
      ${kinds.map((kind) => html`<option value=${kind} ?selected=${kind === chosen}>${textOf(kind)}</option>`)}
    </select></label>`;
}

/** `count`: the number of listed symbols; null: it is not shown. */
export function listField(symbols: readonly string[], fields: Fields, count: number | null, onInput?: () => void) {
  const last = keptList()?.items ?? [];
  const take = ({ target }: Event) => {
    const area = target instanceof Element ? target.closest('form')?.querySelector('textarea[name="symbols"]') : null;
    if (!(area instanceof HTMLTextAreaElement)) return;
    area.value = last.map(({ symbol }) => symbol).join(' ');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const counted = count === null ? '' : ` · ${t('portfolio.count', { count })}`;
  return html`<label class="field">
    <span>${t('portfolio.symbols')}${counted}</span>
    <textarea name="symbols" rows="3" required spellcheck="false" autocapitalize="characters" @input=${onInput ?? nothing}
      aria-describedby="symbols-hint" .value=${symbols.join(' ')}></textarea>
    <span class="hint" id="symbols-hint">${t('portfolio.symbols.hint')}</span>
    ${errorText(fields.error('symbols'))}
  </label>
  ${last.length === 0 ? nothing : html`<p><button type="button" class="quiet" @click=${take}>${t('universe.last', { count: last.length })}</button></p>`}`;
}

/** A rule in one line. */
export interface RuleLine {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly example?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

export function ruleLine({ name, label, value, error, example, hint, isRequired = false }: RuleLine) {
  return html`<label class="field wide"><span>${label}</span>
    <input name=${name} ?required=${isRequired} spellcheck="false" autocomplete="off" maxlength="2000" aria-describedby=${hint ? `${name}-hint` : nothing}
      aria-invalid=${error ? 'true' : nothing} placeholder=${example ?? nothing} .value=${value} />
    ${hint ? html`<span class="hint" id=${`${name}-hint`}>${hint} <a href="/rules">${t('page.rules')}</a></span>` : nothing}
    ${errorText(error)}</label>`;
}

export function screenFields({ where, limit }: RuleScreen, fields: Fields) {
  const [error] = ['where', 'screen', 'universe'].flatMap((name) => fields.error(name) ?? []);
  const rule = { name: 'where', label: t('universe.where'), value: where, error, example: EXAMPLE_RULE };
  return html`<div class="fields">
    ${ruleLine({ ...rule, hint: t('universe.where.hint'), isRequired: true })}
    ${schemaField({ name: 'limit', label: t('universe.limit'), schema: schemaOf('screen.limit'), value: limit })}
  </div>`;
}

/** The group of the benchmark; `more`: fields beside it. */
export function benchmarkGroup(fields: Fields, now: Settings, given = '', more: unknown = nothing) {
  const value = given === 'equal_weight' ? '' : given;
  const draw = () => html`<label class="field"><span>${t('portfolio.benchmark')}</span>
      <input name="benchmark" placeholder=${t('portfolio.equal_weight')} .value=${value} />${errorText(fields.error('benchmark'))}</label>${more}`;
  return fields.group(t('portfolio.benchmark'), now.benchmark || t('portfolio.equal_weight'), draw);
}

export function readBenchmark(form: FormData): { benchmark?: string } {
  const benchmark = textIn(form, 'benchmark').toUpperCase();
  return benchmark === '' ? {} : { benchmark };
}

export const readList = (form: FormData): string[] => symbolsIn(textIn(form, 'symbols'));

export function readScreen(form: FormData): RuleScreen {
  return { where: textIn(form, 'where'), limit: Number(form.get('limit')) };
}

/** Whether the fields of a screen can show all of it. */
export function isRuleScreen(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || !('where' in given)) return false;
  const { where: _where, ...others } = given;
  return Object.entries(others).every(
    ([name, value]) => name === 'limit' || (name === 'conditions' && Array.isArray(value) && value.length === 0),
  );
}

/** The rule of a screen that a call names; an empty one for a screen of another kind. */
export function ruleScreenIn(given: unknown): RuleScreen {
  const isRule = typeof given === 'object' && given !== null && 'where' in given;
  const limit = isRule && 'limit' in given && typeof given.limit === 'number' ? given.limit : DEFAULT_LIMIT;
  return { where: isRule ? String(given.where) : '', limit };
}
