/** Conditions and figures of a screen in words: `RSI 14 < 40`, from the dictionary of fields. */
import { type conditionIn, ruleOfField } from '../../../engine/screener/field-rules.ts';
import { html } from './dom.ts';
import { compact, fixed, number, percent, price, signedPercent } from './text.ts';
import type { Presets } from './types.ts';

export type Dictionary = Pick<Presets, 'fields' | 'operators'>;
export type Field = Dictionary['fields'][number];
export type Condition = NonNullable<ReturnType<typeof conditionIn>>;

/** Fields that the language of rules can say. */
export const sayable = ({ fields }: Dictionary) =>
  fields.filter(({ field, period }) => ruleOfField(field, period?.default ?? null) !== null);

/** `Dollar volume`, `RSI 14`: units stand with the values. */
export function fieldWords({ label }: Field, period: number | null): string {
  const name = label.replace(/, %$|（.*）$/, '');
  return period === null ? name : `${name} ${period}`;
}

const money = (value: number | null, most?: number) => (value === null ? compact(value) : `$${compact(value, most)}`);

/** A value of a field as people write it: `$1M`, `5%`. */
function valueWords({ unit }: Field, value: number): string {
  if (unit === 'money') return money(value);
  if (unit === 'shares') return compact(value);
  return unit === 'percent' ? `${number(value)}%` : unit === 'ratio' ? `${number(value)}×` : number(value);
}

/** Figures that rise and fall around zero. */
const SIGNED = ['change_pct', 'gap_pct', 'roc_pct', 'price_vs_sma_pct', 'sma_slope_pct'];

/** A figure of a field in a table. */
export function figureWords({ field, unit }: Field, value: number | null): string {
  if (unit === 'money') return money(value);
  if (unit === 'shares') return compact(value);
  if (unit === 'percent') return SIGNED.includes(field) ? signedPercent(value, 1) : percent(value, 1);
  return unit === 'price' ? price(value) : fixed(value, unit === 'ratio' ? 2 : 1);
}

const SIGNS: Readonly<Record<string, string>> = { gt: '>', gte: '≥', lt: '<', lte: '≤' };

/** `Dollar volume ` and `> $1M`; of a flag its period. Null: the dictionary does not have its field. */
export function conditionWords({ fields }: Dictionary, condition: Condition | null) {
  const field = fields.find(({ field }) => field === condition?.field);
  if (!field || condition === null) return null;
  const { op, period, value, value2 } = condition;
  if (op === 'is_true') return html`${fieldWords(field, null)} <b>${period}</b>`;
  if (op === 'is_false') return html`<b>✕</b> ${fieldWords(field, period)}`;
  const [first, second] = [value, value2].map((one) => valueWords(field, one));
  return html`${fieldWords(field, period)} <b>${op === 'between' ? `${first} – ${second}` : `${SIGNS[op]} ${first}`}</b>`;
}
