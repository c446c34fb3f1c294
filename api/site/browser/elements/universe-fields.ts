/** The fields that name many instruments: a list of symbols, or a screen that is taken at the last session before the range. */
import { html, nothing } from 'lit';
import type { FieldErrors } from '../field-errors.ts';
import { t } from '../tool-text.ts';

/** Instruments that a screen may find. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
const EXAMPLE_RULE = 'close > sma(200) and rsi(14) < 40';

/** A rule that instruments fulfill, and how many of them are taken at most. */
export interface RuleScreen {
  readonly where: string;
  readonly limit: number;
}

export const UNIVERSE_KINDS = ['symbols', 'screen'] as const;

/** `count`: the number of listed symbols; null: it is not shown. */
export function listField(
  symbols: readonly string[],
  fieldErrors: FieldErrors,
  count: number | null,
  onInput?: () => void,
) {
  const counted = count === null ? '' : ` · ${t('portfolio.count', { count })}`;
  return html`<label class="field">
    <span>${t('portfolio.symbols')}${counted}</span>
    <textarea name="symbols" rows="3" required spellcheck="false" autocapitalize="characters" @input=${onInput ?? nothing}
      aria-describedby="symbols-hint" .value=${symbols.join(' ')}></textarea>
    <span class="hint" id="symbols-hint">${t('portfolio.symbols.hint')}</span>
    ${fieldErrors.symbols ? html`<span class="field-error" role="alert">${fieldErrors.symbols}</span>` : nothing}
  </label>`;
}

export function screenFields({ where, limit }: RuleScreen, fieldErrors: FieldErrors) {
  const fieldError = fieldErrors.where ?? fieldErrors.screen ?? fieldErrors.universe;
  return html`<div class="fields">
    <label class="field wide"><span>${t('universe.where')}</span>
      <input name="where" required spellcheck="false" autocomplete="off" maxlength="2000" aria-describedby="where-hint"
        aria-invalid=${fieldError ? 'true' : nothing} placeholder=${EXAMPLE_RULE} .value=${where} />
      <span class="hint" id="where-hint">${t('universe.where.hint')} <a href="/rules">${t('page.rules')}</a></span>
      ${fieldError ? html`<span class="field-error" role="alert">${fieldError}</span>` : nothing}</label>
    <label class="field"><span>${t('universe.limit')}</span>
      <input type="number" name="limit" min="1" max=${MAX_LIMIT} step="1" .value=${String(limit)} required /></label>
  </div>`;
}

export const readList = (form: FormData): string[] => symbolsIn(String(form.get('symbols') ?? ''));

export function readScreen(form: FormData): RuleScreen {
  return { where: String(form.get('where') ?? '').trim(), limit: Number(form.get('limit')) };
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

/** Symbols as people type them: between spaces, commas, or lines. */
export function symbolsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter((symbol) => symbol !== ''),
    ),
  ];
}
