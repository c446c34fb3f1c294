/** Fixed words for a claim in our months, and how many histories as long as ours would show the effect that is expected. */
import { normalCdf } from '../../statistics/moments.ts';
import { type LocalizedText, text } from '../../util/localized-text.ts';
import { fromKeys } from '../../util/values.ts';
import { NORMAL_95 } from '../mean-test.ts';

/** Share of a published return that is left after its publication (McLean & Pontiff 2016). */
const LEFT_AFTER_PUBLICATION = 0.42;
/** Fewer months than this tell nothing. */
const MIN_MONTHS = 24;

/** `{effect}`: percent a month, three digits; `{of_100}`: histories. */
const CLAIM_WORDS = {
  other_way: text('the other way round', '方向相反', '方向相反'),
  larger: text('larger than published', '大于已发表的数值', '大於已發表的數值'),
  smaller: text('smaller, above zero', '较小，但大于零', '較小，但大於零'),
  less: text('less than expected', '小于预期', '小於預期'),
  as_published: text('as published', '与发表的相符', '與發表的相符'),
  above_zero: text('above zero', '大于零', '大於零'),
  too_short: text(
    'too short to tell: an effect of {effect} would show in {of_100} of 100 histories this long',
    '时间太短，无法判断：{effect}的效应在100段同样长的历史中会有{of_100}段显现',
    '時間太短，無法判斷：{effect}的效應在100段同樣長的歷史中會有{of_100}段顯現',
  ),
  cannot_tell: text('cannot tell', '无法判断', '無法判斷'),
} satisfies Record<string, LocalizedText>;

type ClaimWord = keyof typeof CLAIM_WORDS;

/** Percent a month. */
export interface Judged {
  /** Null: the paper has no return. */
  readonly publishedPct: number | null;
  /** Null: fewer than two months. */
  readonly intervalPct: readonly [low: number, high: number] | null;
  /** The error of the mean (Newey & West). */
  readonly errorPct: number;
  readonly months: number;
  readonly lag: number;
}

export interface Judgement {
  /** Null without a month. */
  readonly word: ClaimWord | null;
  readonly expectedPct: number | null;
  /** Histories of 100 this long that would show what is expected; null: nothing is, or the months are too few. */
  readonly power: number | null;
}

export function judge({ publishedPct: published, intervalPct, errorPct, months, lag }: Judged): Judgement {
  const expectedPct = published && LEFT_AFTER_PUBLICATION * published;
  if (intervalPct === null || months < Math.max(MIN_MONTHS, 2 * (lag + 1))) {
    return { word: months === 0 ? null : 'cannot_tell', expectedPct, power: null };
  }
  const [low, high] = intervalPct;
  const wordFor = (): ClaimWord => {
    if (high < 0) return 'other_way';
    if (published === null || expectedPct === null) return low > 0 ? 'above_zero' : 'cannot_tell';
    if (low > published) return 'larger';
    if (low > 0) return high < published ? 'smaller' : 'as_published';
    return high < expectedPct ? 'less' : 'too_short';
  };
  const power = expectedPct === null ? null : 100 * normalCdf(expectedPct / errorPct - NORMAL_95);
  return { word: wordFor(), expectedPct, power };
}

/** The words in every language; null without a month. */
export function wordsOf({ word, power, expectedPct }: Judgement): LocalizedText | null {
  if (word === null) return null;
  const figures = { effect: expectedPct && Number(expectedPct.toPrecision(3)), of_100: power && Math.round(power) };
  return fromKeys(['en', 'zh-CN', 'zh-TW'], (language) =>
    CLAIM_WORDS[word][language].replace(/\{(effect|of_100)\}/g, (_, name: keyof typeof figures) =>
      String(figures[name]),
    ),
  );
}
