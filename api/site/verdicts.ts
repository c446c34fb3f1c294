/** The rules of verdicts, as the text of a page: when each sentence stands in a tear sheet, and what it says. */
import { readFile } from 'node:fs/promises';
import { SENTENCE_KEYS, type SentenceKey } from '../../engine/tear-sheet/verdict.ts';
import { text } from '../../engine/util/localized-text.ts';
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
  kept_differs: text(
    'The sheet was asked for later, and the total return is not that of the kept result',
    '报告为事后生成，且总收益与保存的结果不同',
    '報告為事後產生，且總報酬與儲存的結果不同',
  ),
  no_trades: text('No trade; no other sentence follows', '没有交易；不再有其他句子', '沒有交易；不再有其他句子'),
  gained_more: text(
    'Total return above 0 and above that of the benchmark',
    '总收益大于0且高于基准',
    '總報酬大於0且高於基準',
  ),
  gained_less: text(
    'Total return above 0, not above that of the benchmark',
    '总收益大于0，但不高于基准',
    '總報酬大於0，但不高於基準',
  ),
  lost_less: text(
    'Total return not above 0, but above that of the benchmark',
    '总收益不大于0，但高于基准',
    '總報酬不大於0，但高於基準',
  ),
  lost_more: text(
    'Total return neither above 0 nor above that of the benchmark',
    '总收益既不大于0，也不高于基准',
    '總報酬既不大於0，也不高於基準',
  ),
  sharpe_shown: text('Probabilistic Sharpe ratio 0.95 or more', '概率夏普比率不低于0.95', '機率夏普比率不低於0.95'),
  sharpe_not_shown: text('Probabilistic Sharpe ratio below 0.95', '概率夏普比率低于0.95', '機率夏普比率低於0.95'),
  alpha_shown: text(
    'With factors: alpha above 0 and p 0.05 or less',
    '给定因子时：阿尔法大于0，且p不高于0.05',
    '給定因子時：阿爾法大於0，且p不高於0.05',
  ),
  alpha_not_shown: text('With factors: p above 0.05', '给定因子时：p高于0.05', '給定因子時：p高於0.05'),
  alpha_negative: text(
    'With factors: alpha below 0 and p 0.05 or less',
    '给定因子时：阿尔法小于0，且p不高于0.05',
    '給定因子時：阿爾法小於0，且p不高於0.05',
  ),
  follows_benchmark: text(
    'Without factors: correlation with the benchmark 0.90 or more',
    '未给定因子时：与基准的相关系数不低于0.90',
    '未給定因子時：與基準的相關係數不低於0.90',
  ),
  entries_better: text(
    'One instrument: at least 95% of the runs with random entries ended below',
    '单一标的：至少95%的随机入场运行结果更低',
    '單一標的：至少95%的隨機進場執行結果更低',
  ),
  entries_no_better: text(
    'One instrument: fewer than 95% of them ended below',
    '单一标的：结果更低的不足95%',
    '單一標的：結果更低的不足95%',
  ),
  loss_unlikely: text(
    'At most 5% of the resampled histories lost money',
    '亏损的重抽样历史不超过5%',
    '虧損的重抽樣歷史不超過5%',
  ),
  loss_possible: text('More than 5% of them lost money', '亏损的重抽样历史超过5%', '虧損的重抽樣歷史超過5%'),
  drawdown_expected: text('Always, where histories were resampled', '只要进行了重抽样', '只要進行了重抽樣'),
  few_trades: text('Fewer than 30 trades', '交易少于30笔', '交易少於30筆'),
  heavy_costs: text(
    'Costs a year are at least half of costs and annual return together',
    '年成本至少占成本与年化收益之和的一半',
    '年成本至少占成本與年化報酬之和的一半',
  ),
  more_sessions: text(
    'Last: probabilistic Sharpe ratio below 0.95, Sharpe ratio above 0',
    '末句：概率夏普比率低于0.95，夏普比率大于0',
    '末句：機率夏普比率低於0.95，夏普比率大於0',
  ),
  no_gain_to_prove: text('Last: Sharpe ratio not above 0', '末句：夏普比率不大于0', '末句：夏普比率不大於0'),
  chosen_among: text(
    'The account has tried more than one combination of parameters for this instrument and strategy',
    '该账户对此标的与策略尝试过不止一组参数',
    '該帳戶對此標的與策略嘗試過不只一組參數',
  ),
  chosen_best: text(
    'The walk forward of a search with more than one combination',
    '多组参数优化的滚动前推检验',
    '多組參數最佳化的滾動前推檢驗',
  ),
  one_choice: text(
    'Last: probabilistic Sharpe ratio 0.95 or more',
    '末句：概率夏普比率不低于0.95',
    '末句：機率夏普比率不低於0.95',
  ),
};

/** In Markdown. */
export async function verdictsText(locale: Locale): Promise<string> {
  const head = [siteText('verdicts.when', locale), siteText('verdicts.sentence', locale)];
  const rows = SENTENCE_KEYS.map((key) => [RULES[key][locale], verdictPattern(key, locale)]);
  const calibration = calibrationText(await readCalibration(), locale);
  return `${siteText('verdicts.about', locale)}\n\n${table(head, new Set(), rows)}\n\n${calibration}\n`;
}
