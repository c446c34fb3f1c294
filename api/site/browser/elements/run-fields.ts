/** The fields that forms of runs share: instrument, strategy, range, and groups for how trades are made and how far the run goes. */
import { html, nothing } from '../dom.ts';
import { errorText, type Fields, readFields } from '../fields.ts';
import { costWords, modeWords } from '../run/setting-words.ts';
import { cashOf, costsOf, DEFAULT_RANGE, OWN_RULES, type RunBody, type Settings } from '../run/specification.ts';
import { day, rangeText } from '../text.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';
import { RATES } from './rate-list.ts';
import './symbol-search.ts';

const ADJUSTMENTS = ['split', 'total', 'none'] as const;

/** The range between two dates. */
export const CUSTOM = 'CUSTOM';

export interface RunForm {
  readonly strategies: Strategies;
  /** The initial values of the form. */
  readonly settings: Settings;
  readonly fields: Fields;
}

export function symbolField({ settings, fields }: RunForm) {
  return html`<div class="field">
    <span aria-hidden="true">${t('form.symbol')}</span>
    <symbol-search name="symbol" .value=${settings.symbol ?? ''} label=${t('form.symbol')}></symbol-search>
    ${errorText(fields.error('symbol'))}
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

function dateField({ settings, fields }: RunForm, name: 'start' | 'end', isRequired: boolean) {
  return html`<label class="field"><span>${t(`form.${name}`)}</span><input type="date" name=${name} .value=${settings[name] ?? ''} ?required=${isRequired} />${errorText(fields.error(name))}</label>`;
}

/** Ranges that are side by side. */
const SHORT_LIST = ['1Y', '3Y', '5Y', '10Y', 'MAX'];

/** The range as buttons side by side; others that an address names are among them. */
export function rangeButtons(form: RunForm, chosen: string, choose: (range: string) => void) {
  const ranges = form.strategies.time_ranges.filter((range) => SHORT_LIST.includes(range) || range === chosen);
  const button = (range: string, text: string) => html`<label
    ><input type="radio" name="time_range" value=${range} .checked=${range === chosen} @change=${() => choose(range)} />${text}</label
  >`;
  return html`<fieldset class="field">
      <legend>${t('form.range')}</legend>
      <div class="choice">
        ${ranges.map((range) => button(range, rangeText(range)))} ${button(CUSTOM, t('form.since'))}
      </div>
    </fieldset>
    ${chosen === CUSTOM ? dateField(form, 'start', true) : nothing}`;
}

/** When trades are made, on which prices, and at which costs. `now`: the present values of the form. */
export function tradeGroups({ strategies, fields }: RunForm, now: Settings) {
  const executed = { codes: strategies.execute_on, textOf: (code: string) => modeWords(code, 'param') };
  const adjusted = { codes: ADJUSTMENTS, textOf: (code: string) => modeWords(code, 'adjust') };
  return html`${fields.group(t('form.execute_on'), modeWords(now.execute_on, 'param'), () => fields.field('execute_on', t('form.execute_on'), executed))}
    ${fields.group(t('symbol.prices'), modeWords(now.adjust, 'adjust'), () => fields.field('adjust', t('symbol.prices'), adjusted))}
    ${fields.group(t('form.costs'), costWords(now), () => [
      fields.field('cost.commission_rate', t('form.commission')),
      fields.field('cost.min_commission', t('form.min_commission')),
      fields.field('cost.slippage_bps', t('form.slippage')),
      fields.field('cash.rate', t('form.cash_rate'), { isOptional: true, list: RATES }),
      fields.field('cash.spread_bps', t('form.cash_spread'), { isOptional: true }),
      fields.field('risk_free', t('form.risk_free'), { isOptional: true, list: RATES }),
      html`<rate-list></rate-list>`,
    ])}`;
}

export function endGroup(form: RunForm, now: Settings) {
  return form.fields.group(t('form.end'), now.end ? day(now.end) : t('form.newest'), () =>
    dateField(form, 'end', false),
  );
}

/** The chosen range of a form that a call fills. */
export const rangeOf = ({ start, time_range = DEFAULT_RANGE }: Partial<RunBody>) => (start ? CUSTOM : time_range);

/** The fields as the API takes them. */
export function readRun(form: HTMLFormElement, strategy: string, range: string): RunBody {
  const { start, end, execute_on, adjust, cost = {}, cash: given, risk_free } = readFields<RunBody>(form);
  const cash = cashOf(given);
  return {
    strategy,
    ...(range === CUSTOM ? { start } : { time_range: range }),
    ...(end === undefined ? {} : { end }),
    execute_on,
    adjust,
    cost: costsOf(cost),
    ...(cash === undefined ? {} : { cash }),
    ...(risk_free === undefined ? {} : { risk_free }),
  };
}
