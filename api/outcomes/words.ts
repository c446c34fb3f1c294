/** Sentences on what happened after hits. */
import type { Doubt, HorizonOutcome } from '../../engine/outcomes/horizon.ts';
import { MIN_DAYS, MIN_HITS, MIN_PERIODS } from '../../engine/outcomes/horizon.ts';
import type { Compare } from '../../engine/outcomes/returns.ts';
import { text } from '../../engine/util/localized-text.ts';
import { fill, type Locale, type Text } from '../http/language/locale.ts';
import { decimal } from '../runs/verdict-texts.ts';

/** Placeholders: counted `{hits}`, `{days}`, `{sessions}`; `{mean}`, `{others}`, and `{excess}` in percent; `{of_100}`: samples. */
const SENTENCES = {
  told: text(
    'After {hits} on {days}, {sessions} later {mean}, {others}, a difference of {excess}: were there nothing in it, one this large would come in {of_100} of 100 samples.',
    '{days}中的{hits}之后，{sessions}后为{mean}，{others}，相差{excess}：若其中并无规律，100个样本中会有{of_100}个出现如此大的差异。',
    '{days}中的{hits}之後，{sessions}後為{mean}，{others}，相差{excess}：若其中並無規律，100個樣本中會有{of_100}個出現如此大的差異。',
  ),
  untold: text(
    'After {hits} on {days}, {sessions} later {mean}, {others}: too little to tell from chance ({why}).',
    '{days}中的{hits}之后，{sessions}后为{mean}，{others}：不足以与偶然区分（{why}）。',
    '{days}中的{hits}之後，{sessions}後為{mean}，{others}：不足以與偶然區分（{why}）。',
  ),
  alone: text(
    'After {hits} on {days}, {sessions} later {mean}, compared with nothing.',
    '{days}中的{hits}之后，{sessions}后为{mean}，未作比较。',
    '{days}中的{hits}之後，{sessions}後為{mean}，未作比較。',
  ),
  uncompared: text(
    'After {hits} on {days}, {sessions} later {mean}: on all these days nothing was left to compare with.',
    '{days}中的{hits}之后，{sessions}后为{mean}：这些日期没有可供比较的标的。',
    '{days}中的{hits}之後，{sessions}後為{mean}：這些日期沒有可供比較的標的。',
  ),
  none: text(
    'No hit has its {sessions} within the range.',
    '区间内没有命中之后满{sessions}。',
    '區間內沒有命中之後滿{sessions}。',
  ),
} satisfies Record<string, Text>;

const OTHERS = {
  same_day: text('the others the same days {others}', '其他标的同日为{others}', '其他標的同日為{others}'),
  own: text('on all days {others}', '全部日期为{others}', '全部日期為{others}'),
} satisfies Record<Exclude<Compare, 'none'>, Text>;

const DOUBTS: Readonly<Record<Doubt, Text>> = {
  hits: text(`fewer than ${MIN_HITS} hits`, `命中少于${MIN_HITS}次`, `命中少於${MIN_HITS}次`),
  days: text(`fewer than ${MIN_DAYS} days`, `少于${MIN_DAYS}天`, `少於${MIN_DAYS}天`),
  range: text(
    `fewer than ${MIN_PERIODS} such periods in the range`,
    `区间内不足${MIN_PERIODS}个该时段`,
    `區間內不足${MIN_PERIODS}個該時段`,
  ),
  equal: text('all differences are equal', '所有差异均相等', '所有差異均相等'),
};

const FEWER_THAN_ONE = text('fewer than 1', '不足1', '不足1');

const COUNTED = {
  hit: text('{count} hits', '{count}次命中', '{count}次命中'),
  day: text('{count} days', '{count}天', '{count}天'),
  session: text('{count} sessions', '{count}个交易日', '{count}個交易日'),
} satisfies Record<string, Text>;

function counted(count: number, name: keyof typeof COUNTED, locale: Locale): string {
  const written = fill(COUNTED[name][locale], { count: decimal(count, 0) });
  return count === 1 && locale === 'en' ? `1 ${name}` : written;
}

/** A share of 1 in percent, with its sign. */
function percent(share: number): string {
  const written = decimal(100 * share, 1);
  return `${Number(written) > 0 ? '+' : ''}${written.replace('-', '−')}%`;
}

/** The sentence of a horizon. The smaller of the two differences is named: that to the others, and what is left after the beta. */
export function sentenceOf(outcome: HorizonOutcome, compare: Compare, locale: Locale): string {
  const { horizon, hits, days, mean, excess } = outcome;
  const details = {
    hits: counted(hits, 'hit', locale),
    days: counted(days, 'day', locale),
    sessions: counted(horizon, 'session', locale),
    mean: percent(mean ?? 0),
  };
  const sentence = (key: keyof typeof SENTENCES, more = {}) => fill(SENTENCES[key][locale], { ...details, ...more });
  if (hits === 0) return sentence('none');
  if (excess === null || compare === 'none') return sentence('alone');
  if (excess.mean === null || excess.others === null) return sentence('uncompared');
  const others = fill(OTHERS[compare][locale], { others: percent(excess.others) });
  if (excess.doubt !== null || excess.p === null)
    return sentence('untold', { others, why: DOUBTS[excess.doubt ?? 'equal'][locale] });
  const left = excess.alpha ?? excess.mean;
  const smaller = Math.abs(left) < Math.abs(excess.mean) ? left : excess.mean;
  const of_100 = 100 * excess.p < 0.5 ? FEWER_THAN_ONE[locale] : Math.round(100 * excess.p);
  return sentence('told', { others, excess: percent(smaller), of_100 });
}
