/** Sentences on how a record stands beside what was sealed. */
import { PREDICTED } from '../../engine/forward/bands.ts';
import type { LiveFigures, SealedFigures } from '../../engine/forward/record.ts';
import { text } from '../../engine/util/localized-text.ts';

import { fill, type Locale, type Text } from '../http/language/locale.ts';
import { decimal } from '../runs/verdict-texts.ts';

const SENTENCES = {
  waiting: text(
    'Nothing is told yet: the first entry is of the session after the seal.',
    '尚无记录：首条记录为封存后的第一个交易日。',
    '尚無紀錄：首筆紀錄為封存後的第一個交易日。',
  ),
  inside: text(
    'After {sessions} it lies inside the 90% band, {rank} of 100.',
    '{sessions}后位于90%区间之内，第{rank}位（共100）。',
    '{sessions}後位於90%區間之內，第{rank}位（共100）。',
  ),
  below: text(
    'After {sessions} it lies below the 90% band, {rank} of 100.',
    '{sessions}后低于90%区间，第{rank}位（共100）。',
    '{sessions}後低於90%區間，第{rank}位（共100）。',
  ),
  above: text(
    'After {sessions} it lies above the 90% band, {rank} of 100.',
    '{sessions}后高于90%区间，第{rank}位（共100）。',
    '{sessions}後高於90%區間，第{rank}位（共100）。',
  ),
  unpredicted: text(
    'The sealed run was too short to predict anything.',
    '封存的运行过短，未作预测。',
    '封存的執行過短，未作預測。',
  ),
  beyond: text(
    `It has gone on beyond the ${PREDICTED} sessions that were predicted: seal it anew.`,
    `已超出预测的${PREDICTED}个交易日：请重新封存。`,
    `已超出預測的${PREDICTED}個交易日：請重新封存。`,
  ),
  shrinkage: text(
    'Beyond the market its appraisal ratio is {live} ({low} to {high}); {sealed} was sealed: {share}% of it.',
    '相对市场的评价比率为{live}（{low}至{high}），封存时为{sealed}：占{share}%。',
    '相對市場的評價比率為{live}（{low}至{high}），封存時為{sealed}：占{share}%。',
  ),
  stopped: text('Its owner stopped it.', '已由所有者停止。', '已由擁有者停止。'),
  abandoned: text('It was abandoned.', '已被弃置。', '已被棄置。'),
  only: text('It is the only record of its account.', '这是其账户唯一的记录。', '這是其帳戶唯一的紀錄。'),
  count: text(
    'One of {records} of its account, {ended} ended.',
    '其账户共{records}个，其中{ended}个已结束。',
    '其帳戶共{records}個，其中{ended}個已結束。',
  ),
} satisfies Record<string, Text>;

interface Told {
  readonly status: 'live' | 'beyond' | 'stopped' | 'abandoned';
  readonly sealed: SealedFigures;
  readonly live: LiveFigures | null;
  /** Absent in lists. */
  readonly account?: { readonly records: number; readonly ended: number };
}

const COUNTED = text('{count} sessions', '{count}个交易日', '{count}個交易日');
const counted = (count: number, locale: Locale) =>
  count === 1 && locale === 'en' ? '1 session' : fill(COUNTED[locale], { count });

const ordinal = (rank: number, locale: Locale) => {
  if (locale !== 'en') return String(rank);
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${rank}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(rank)]}`;
};

const signed = (value: number) => decimal(value, 2).replace('-', '−');

export function sentencesOn({ status, sealed, live, account }: Told, locale: Locale): string[] {
  const sentence = (key: keyof typeof SENTENCES, details = {}) => fill(SENTENCES[key][locale], details);
  const told: string[] = [];
  if (status === 'stopped' || status === 'abandoned') told.push(sentence(status));
  // Where a search stands behind the run, the paths with the lower mean count.
  const place = live?.place_lowered ?? live?.place;
  if (live === null) told.push(sentence('waiting'));
  else if (place) {
    const key = place.inside_90 ? 'inside' : place.rank <= 50 ? 'below' : 'above';
    told.push(sentence(key, { sessions: counted(live.sessions, locale), rank: ordinal(place.rank, locale) }));
  } else told.push(sentence(live.sessions > PREDICTED ? 'beyond' : 'unpredicted'));
  if (live?.shrinkage != null && live.appraisal !== null && live.appraisal_interval !== null) {
    const [low, high] = live.appraisal_interval;
    const figures = {
      live: signed(live.appraisal),
      low: signed(low),
      high: signed(high),
      sealed: signed(sealed.appraisal ?? 0),
    };
    told.push(sentence('shrinkage', { ...figures, share: decimal(100 * live.shrinkage, 0).replace('-', '−') }));
  }
  if (account) told.push(sentence(account.records === 1 ? 'only' : 'count', account));
  return told;
}
