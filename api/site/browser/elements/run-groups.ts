/** The folded groups that the set-ups of runs share: when trades are made, on which prices, at which costs, and to which day. */
import { html } from 'lit';
import { costWords, modeWords } from '../run/setting-words.ts';
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import { fold, hasError } from './fold.ts';
import { costFields, endField, executeField, pricesField, type RunForm } from './run-fields.ts';

type Values = Readonly<Record<string, string>>;

const COSTS = ['commission_rate', 'min_commission', 'slippage_bps'];

/** `now`: the present values of the form. */
export function tradeGroups(form: RunForm, now: Values) {
  const { strategies, fieldErrors } = form;
  return html`${fold({ title: t('form.execute_on'), now: modeWords(now.execute_on, 'execute_on', strategies), fields: executeField(form), isOpen: hasError(fieldErrors, ['execute_on']) })}
    ${fold({ title: t('form.adjust'), now: modeWords(now.adjust, 'adjust', strategies), fields: pricesField(form), isOpen: hasError(fieldErrors, ['adjust']) })}
    ${fold({ title: t('form.costs'), now: costWords(now), fields: costFields(form), isOpen: hasError(fieldErrors, COSTS) })}`;
}

export function endGroup(form: Pick<RunForm, 'settings' | 'fieldErrors'>, now: Values) {
  const text = now.end ? day(now.end) : t('form.newest');
  return fold({ title: t('form.end'), now: text, fields: endField(form), isOpen: hasError(form.fieldErrors, ['end']) });
}
