/** Sentences on what happened after hits. */
import { type LocalizedText, text } from '../util/localized-text.ts';
import type { HorizonOutcome } from './outcomes.ts';

/** Placeholders: `{hits}`, `{days}`, `{sessions}`, `{mean}` and `{others}` in percent, `{excess}`, `{of_100}`. */
const WORDS = {
  told: text(
    'After {hits} hits on {days} days, {sessions} sessions later {mean}, {others}, a difference of {excess}: were there nothing in it, one this large would come in {of_100} of 100 samples.',
    '{days}天中的{hits}次命中之后，{sessions}个交易日后为{mean}，{others}，相差{excess}：若其中并无规律，100个样本中会有{of_100}个出现如此大的差异。',
    '{days}天中的{hits}次命中之後，{sessions}個交易日後為{mean}，{others}，相差{excess}：若其中並無規律，100個樣本中會有{of_100}個出現如此大的差異。',
  ),
  untold: text(
    'After {hits} hits on {days} days, {sessions} sessions later {mean}, {others}: too little to tell from chance ({why}).',
    '{days}天中的{hits}次命中之后，{sessions}个交易日后为{mean}，{others}：不足以与偶然区分（{why}）。',
    '{days}天中的{hits}次命中之後，{sessions}個交易日後為{mean}，{others}：不足以與偶然區分（{why}）。',
  ),
  alone: text(
    'After {hits} hits on {days} days, {sessions} sessions later {mean}, beside nothing.',
    '{days}天中的{hits}次命中之后，{sessions}个交易日后为{mean}，未作比较。',
    '{days}天中的{hits}次命中之後，{sessions}個交易日後為{mean}，未作比較。',
  ),
  none: text(
    'No hit has {sessions} sessions behind it.',
    '没有命中之后满{sessions}个交易日。',
    '沒有命中之後滿{sessions}個交易日。',
  ),
} satisfies Record<string, LocalizedText>;

const OTHERS = {
  same_day: text('the others the same days {others}', '其他标的同日为{others}', '其他標的同日為{others}'),
  own: text('on all days {others}', '全部日期为{others}', '全部日期為{others}'),
} satisfies Record<string, LocalizedText>;

const WHY = {
  hits: text('fewer than 30 hits', '命中少于30次', '命中少於30次'),
  days: text('fewer than 10 days', '少于10天', '少於10天'),
  range: text('fewer than 20 such periods in the range', '区间内不足20个该时段', '區間內不足20個該時段'),
} satisfies Record<string, LocalizedText>;

const FEWER_THAN_ONE = text('fewer than 1', '不足1', '不足1');

function filled(of: LocalizedText, values: Readonly<Record<string, LocalizedText | string>>): LocalizedText {
  const inLocale = (locale: keyof LocalizedText) =>
    of[locale].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'string' ? value : (value?.[locale] ?? '');
    });
  return { en: inLocale('en'), 'zh-CN': inLocale('zh-CN'), 'zh-TW': inLocale('zh-TW') };
}

const percent = (share: number | null) => {
  if (share === null) return '–';
  const written = (100 * share).toFixed(1);
  return `${share > 0 ? '+' : ''}${written.replace('-', '−')} %`;
};

/** The sentence of a horizon. The smaller of the two differences is named: that to the others, and what is left after the beta. */
export function sentenceOf(one: HorizonOutcome, compare: 'same_day' | 'own' | 'none'): LocalizedText {
  const { hits, days, mean, excess } = one;
  const counts = {
    hits: hits.toLocaleString('en'),
    days: days.toLocaleString('en'),
    sessions: String(one.horizon),
    mean: percent(mean),
  };
  if (hits === 0) return filled(WORDS.none, counts);
  if (excess === null || compare === 'none') return filled(WORDS.alone, counts);
  const others = filled(OTHERS[compare], { others: percent(excess.others) });
  if (excess.p === null) {
    const why = hits < 30 ? WHY.hits : days < 10 ? WHY.days : WHY.range;
    return filled(WORDS.untold, { ...counts, others, why });
  }
  const differences = [excess.mean ?? 0, excess.alpha ?? excess.mean ?? 0];
  const smaller = differences.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
  const of_100 = 100 * excess.p < 0.5 ? FEWER_THAN_ONE : String(Math.round(100 * excess.p));
  return filled(WORDS.told, { ...counts, others, excess: percent(smaller), of_100 });
}
