/** The rules of verdicts, as the text of a page: when each sentence stands in a tear sheet, and what it says. */

import { readFile } from 'node:fs/promises';
import { SENTENCE_KEYS, type SentenceKey } from '../../engine/tear-sheet/verdict.ts';
import { fill, type Locale, type Text } from '../http/language/locale.ts';
import { verdictPattern } from '../runs/verdict-texts.ts';
import { table } from './markdown-table.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';

/** In the order of the page. */
export const CALIBRATED = [
  'naive_best_sharpe',
  'sharpe_shown',
  'dsr',
  'spa',
  'step_m',
  'haircut_bonferroni',
  'haircut_holm',
  'haircut_bhy',
  'entries_better',
  'interval_coverage',
] as const;

interface Calibration {
  /** The day of the commit. */
  readonly date: string;
  readonly commit: string;
  /** Shares of the searches, 0 to 1. */
  readonly shares: Readonly<Record<(typeof CALIBRATED)[number], number>>;
}

export async function readCalibration(): Promise<Calibration> {
  return JSON.parse(await readFile(new URL('calibration.json', import.meta.url), 'utf8'));
}

/** In Markdown. */
function calibrationText({ date, commit, shares }: Calibration, locale: Locale): string {
  const t = (key: SiteText) => siteText(key, locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1 });
  const rows = CALIBRATED.map((name) => [t(`calibration.${name}`), percent.format(shares[name])]);
  const head = [t('calibration.answer'), t('calibration.share')];
  const about = fill(t('calibration.about'), { date, commit });
  return `## ${t('calibration.title')}\n\n${about}\n\n${table(head, new Set([1]), rows)}`;
}

const RULES: Readonly<Record<SentenceKey, Text>> = {
  kept_differs: {
    en: 'The sheet was asked for later, and the total return is not that of the kept result',
    'zh-CN': '报告为事后生成，且总收益与保存的结果不同',
    'zh-TW': '報告為事後產生，且總報酬與儲存的結果不同',
  },
  no_trades: {
    en: 'No trade; no other sentence follows',
    'zh-CN': '没有交易；不再有其他句子',
    'zh-TW': '沒有交易；不再有其他句子',
  },
  gained_more: {
    en: 'Total return above 0 and above that of the benchmark',
    'zh-CN': '总收益大于0且高于基准',
    'zh-TW': '總報酬大於0且高於基準',
  },
  gained_less: {
    en: 'Total return above 0, not above that of the benchmark',
    'zh-CN': '总收益大于0，但不高于基准',
    'zh-TW': '總報酬大於0，但不高於基準',
  },
  lost_less: {
    en: 'Total return not above 0, but above that of the benchmark',
    'zh-CN': '总收益不大于0，但高于基准',
    'zh-TW': '總報酬不大於0，但高於基準',
  },
  lost_more: {
    en: 'Total return neither above 0 nor above that of the benchmark',
    'zh-CN': '总收益既不大于0，也不高于基准',
    'zh-TW': '總報酬既不大於0，也不高於基準',
  },
  sharpe_shown: {
    en: 'Probabilistic Sharpe ratio 0.95 or more',
    'zh-CN': '概率夏普比率不低于0.95',
    'zh-TW': '機率夏普比率不低於0.95',
  },
  sharpe_not_shown: {
    en: 'Probabilistic Sharpe ratio below 0.95',
    'zh-CN': '概率夏普比率低于0.95',
    'zh-TW': '機率夏普比率低於0.95',
  },
  alpha_shown: {
    en: 'With factors: alpha above 0 and p 0.05 or less',
    'zh-CN': '给定因子时：阿尔法大于0，且p不高于0.05',
    'zh-TW': '給定因子時：阿爾法大於0，且p不高於0.05',
  },
  alpha_not_shown: {
    en: 'With factors: p above 0.05',
    'zh-CN': '给定因子时：p高于0.05',
    'zh-TW': '給定因子時：p高於0.05',
  },
  alpha_negative: {
    en: 'With factors: alpha below 0 and p 0.05 or less',
    'zh-CN': '给定因子时：阿尔法小于0，且p不高于0.05',
    'zh-TW': '給定因子時：阿爾法小於0，且p不高於0.05',
  },
  follows_benchmark: {
    en: 'Without factors: correlation with the benchmark 0.90 or more',
    'zh-CN': '未给定因子时：与基准的相关系数不低于0.90',
    'zh-TW': '未給定因子時：與基準的相關係數不低於0.90',
  },
  entries_better: {
    en: 'One instrument: at least 95% of the runs with random entries ended below',
    'zh-CN': '单一标的：至少95%的随机入场运行结果更低',
    'zh-TW': '單一標的：至少95%的隨機進場執行結果更低',
  },
  entries_no_better: {
    en: 'One instrument: fewer than 95% of them ended below',
    'zh-CN': '单一标的：结果更低的不足95%',
    'zh-TW': '單一標的：結果更低的不足95%',
  },
  loss_unlikely: {
    en: 'At most 5% of the resampled histories lost money',
    'zh-CN': '亏损的重抽样历史不超过5%',
    'zh-TW': '虧損的重抽樣歷史不超過5%',
  },
  loss_possible: {
    en: 'More than 5% of them lost money',
    'zh-CN': '亏损的重抽样历史超过5%',
    'zh-TW': '虧損的重抽樣歷史超過5%',
  },
  drawdown_expected: {
    en: 'Always, where histories were resampled',
    'zh-CN': '只要进行了重抽样',
    'zh-TW': '只要進行了重抽樣',
  },
  few_trades: { en: 'Fewer than 30 trades', 'zh-CN': '交易少于30笔', 'zh-TW': '交易少於30筆' },
  heavy_costs: {
    en: 'Costs a year are at least half of costs and annual return together',
    'zh-CN': '年成本至少占成本与年化收益之和的一半',
    'zh-TW': '年成本至少占成本與年化報酬之和的一半',
  },
  more_sessions: {
    en: 'Last: probabilistic Sharpe ratio below 0.95, Sharpe ratio above 0',
    'zh-CN': '末句：概率夏普比率低于0.95，夏普比率大于0',
    'zh-TW': '末句：機率夏普比率低於0.95，夏普比率大於0',
  },
  no_gain_to_prove: {
    en: 'Last: Sharpe ratio not above 0',
    'zh-CN': '末句：夏普比率不大于0',
    'zh-TW': '末句：夏普比率不大於0',
  },
  chosen_among: {
    en: 'The account has tried more than one combination of parameters for this instrument and strategy',
    'zh-CN': '该账户对此标的与策略尝试过不止一组参数',
    'zh-TW': '該帳戶對此標的與策略嘗試過不只一組參數',
  },
  chosen_best: {
    en: 'The walk forward of a search with more than one combination',
    'zh-CN': '多组参数优化的滚动前推检验',
    'zh-TW': '多組參數最佳化的滾動前推檢驗',
  },
  one_choice: {
    en: 'Last: probabilistic Sharpe ratio 0.95 or more',
    'zh-CN': '末句：概率夏普比率不低于0.95',
    'zh-TW': '末句：機率夏普比率不低於0.95',
  },
};

/** In Markdown. */
export async function verdictsText(locale: Locale): Promise<string> {
  const head = [siteText('verdicts.when', locale), siteText('verdicts.sentence', locale)];
  const rows = SENTENCE_KEYS.map((key) => [RULES[key][locale], verdictPattern(key, locale)]);
  const calibration = calibrationText(await readCalibration(), locale);
  return `${siteText('verdicts.about', locale)}\n\n${table(head, new Set(), rows)}\n\n${calibration}\n`;
}
