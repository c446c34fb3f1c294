/** The fields that forms of backtests and of searches share: instrument, strategy, range, and how trades are made. */
import { html, nothing } from 'lit';
import type { FieldErrors } from '../field-errors.ts';
import { costsOf, OWN_RULES, RULE_PARTS, type RunBody, type Settings } from '../run/specification.ts';
import { rangeText, textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';
import './symbol-search.ts';

const ADJUSTMENTS = ['split', 'total', 'none'] as const;

/** The range between two dates. */
export const CUSTOM = 'CUSTOM';

/** Fields that show their own errors. */
export const FIELDS_WITH_ERRORS = [
  'symbol',
  'symbols',
  'start',
  'end',
  'commission_rate',
  'min_commission',
  'slippage_bps',
  ...RULE_PARTS,
] as const;

export interface RunForm {
  readonly strategies: Strategies;
  /** The initial values of the form. */
  readonly settings: Settings;
  /** FieldErrors by field. */
  readonly fieldErrors: FieldErrors;
}

function fieldError(fieldErrors: FieldErrors, name: string) {
  return fieldErrors[name] ? html`<span class="field-error" role="alert">${fieldErrors[name]}</span>` : nothing;
}

export function symbolField({ settings, fieldErrors }: RunForm) {
  return html`<div class="field">
    <span aria-hidden="true">${t('form.symbol')}</span>
    <symbol-search name="symbol" .value=${settings.symbol ?? ''} label=${t('form.symbol')}></symbol-search>
    ${fieldError(fieldErrors, 'symbol')}
  </div>`;
}

export function strategyField({ strategies }: RunForm, chosen: string, onSwitch: (event: Event) => void) {
  return html`<label class="field wide">
    <span>${t('form.strategy')}</span>
    <select name="strategy" @change=${onSwitch}>
      ${strategies.strategies.map(
        ({ code, name }) => html`<option value=${code} ?selected=${code === chosen}>${name}</option>`,
      )}
      <option value=${OWN_RULES} ?selected=${chosen === OWN_RULES}>${t('form.own_rules')}</option>
    </select>
  </label>`;
}

export function endField({ settings, fieldErrors }: Pick<RunForm, 'settings' | 'fieldErrors'>) {
  return html`<label class="field"><span>${t('form.end')}</span><input type="date" name="end" .value=${settings.end ?? ''} />${fieldError(fieldErrors, 'end')}</label>`;
}

/** Ranges that are side by side. */
const SHORT_LIST = ['1Y', '3Y', '5Y', '10Y', 'MAX'];

/** The range as buttons side by side; others that an address names are among them. */
export function rangeButtons(
  { strategies, settings, fieldErrors }: RunForm,
  chosen: string,
  choose: (range: string) => void,
) {
  const ranges = strategies.time_ranges.filter((range) => SHORT_LIST.includes(range) || range === chosen);
  const button = (range: string, text: string) => html`<label
    ><input type="radio" name="time_range" value=${range} .checked=${range === chosen} @change=${() => choose(range)} />${text}</label
  >`;
  return html`<fieldset class="field">
      <legend>${t('form.range')}</legend>
      <div class="choice">
        ${ranges.map((range) => button(range, rangeText(range)))} ${button(CUSTOM, t('form.since'))}
      </div>
    </fieldset>
    ${
      chosen === CUSTOM
        ? html`<label class="field"><span>${t('form.start')}</span><input type="date" name="start" .value=${settings.start ?? ''} required />${fieldError(fieldErrors, 'start')}</label>`
        : nothing
    }`;
}

export function executeField({ strategies, settings: { execute_on } }: RunForm) {
  const chosen = execute_on ?? strategies.defaults.execute_on;
  return html`<label class="field">
    <span>${t('form.execute_on')}</span>
    <select name="execute_on">
      ${strategies.execute_on.map(
        (code) => html`<option value=${code} ?selected=${code === chosen}>${textOr(`param.${code}`, code)}</option>`,
      )}
    </select>
  </label>`;
}

export function pricesField({ strategies, settings: { adjust } }: RunForm) {
  const chosen = adjust ?? strategies.defaults.adjust;
  return html`<label class="field">
    <span>${t('form.adjust')}</span>
    <select name="adjust">
      ${ADJUSTMENTS.map((mode) => html`<option value=${mode} ?selected=${mode === chosen}>${t(`adjust.${mode}`)}</option>`)}
    </select>
  </label>`;
}

export function costFields({ settings, fieldErrors }: RunForm) {
  const { commission_rate, min_commission, slippage_bps } = settings;
  const cost = (name: string, label: string, value: string | undefined) => html`<label class="field">
    <span>${label}</span>
    <input type="number" name=${name} min="0" step="any" .value=${value ?? '0'} required />${fieldError(fieldErrors, name)}
  </label>`;
  return html`${cost('commission_rate', t('form.commission'), commission_rate && String(Number((100 * Number(commission_rate)).toPrecision(12))))}
    ${cost('min_commission', t('form.min_commission'), min_commission)}
    ${cost('slippage_bps', t('form.slippage'), slippage_bps)}`;
}

export const readSymbol = (form: FormData) =>
  String(form.get('symbol') ?? '')
    .trim()
    .toUpperCase();

/** The fields as the API takes them; defaults are left out. */
export function readRun(form: FormData, strategy: string, range: string, defaults: Strategies['defaults']): RunBody {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const cost = {
    commission_rate: Number((Number(text('commission_rate')) / 100).toPrecision(12)),
    min_commission: Number(text('min_commission')),
    slippage_bps: Number(text('slippage_bps')),
  };
  return {
    strategy,
    ...(range === CUSTOM ? { start: text('start') } : { time_range: range }),
    ...(text('end') === '' ? {} : { end: text('end') }),
    execute_on: text('execute_on'),
    ...(text('adjust') === defaults.adjust ? {} : { adjust: text('adjust') }),
    ...costsOf(cost),
  };
}
