/** When each sentence stands in the verdict of a tear sheet. */
import type { SentenceKey } from '../../../engine/tear-sheet/sentence.ts';
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const VERDICT_TEXTS = {
  'verdict.kept_differs': text(
    'The sheet was asked for later, and the total return is not that of the kept result',
    '报告为事后生成，且总收益与保存的结果不同',
    '報告為事後產生，且總報酬與儲存的結果不同',
  ),
  'verdict.no_trades': text(
    'No trade; no other sentence follows',
    '没有交易；不再有其他句子',
    '沒有交易；不再有其他句子',
  ),
  'verdict.gained_more': text(
    'Total return above 0 and above that of the benchmark, also above 0',
    '总收益高于基准，且二者均大于0',
    '總報酬高於基準，且兩者均大於0',
  ),
  'verdict.gained_less': text(
    'Total return above 0 and below that of the benchmark',
    '总收益大于0，低于基准',
    '總報酬大於0，低於基準',
  ),
  'verdict.gained_same': text(
    'Both above 0 and equal to one decimal',
    '二者均大于0，保留一位小数时相等',
    '兩者均大於0，取一位小數時相等',
  ),
  'verdict.gained_while_lost': text(
    'Total return above 0, that of the benchmark below',
    '总收益大于0，基准小于0',
    '總報酬大於0，基準小於0',
  ),
  'verdict.lost_less': text(
    'Both below 0, the total return above that of the benchmark',
    '二者均小于0，总收益高于基准',
    '兩者均小於0，總報酬高於基準',
  ),
  'verdict.lost_more': text(
    'Both below 0, the total return below that of the benchmark',
    '二者均小于0，总收益低于基准',
    '兩者均小於0，總報酬低於基準',
  ),
  'verdict.lost_same': text(
    'Both below 0 and equal to one decimal',
    '二者均小于0，保留一位小数时相等',
    '兩者均小於0，取一位小數時相等',
  ),
  'verdict.lost_while_gained': text(
    'Total return below 0, that of the benchmark above',
    '总收益小于0，基准大于0',
    '總報酬小於0，基準大於0',
  ),
  'verdict.returned': text(
    'One of the two is 0 to one decimal',
    '其中之一保留一位小数时为0',
    '其中之一取一位小數時為0',
  ),
  'verdict.skill_shown': text(
    '`skill.shown`: psr and ex_ante.psr 0.95 or more, alpha_t and ex_ante.t 1.645 or more',
    '`skill.shown`：psr与ex_ante.psr均不低于0.95，alpha_t与ex_ante.t均不低于1.645',
    '`skill.shown`：psr與ex_ante.psr均不低於0.95，alpha_t與ex_ante.t均不低於1.645',
  ),
  'verdict.skill_shown_rarely': text(
    'The same, the smaller probability above 0.995',
    '同上，且较小的概率高于0.995',
    '同上，且較小的機率高於0.995',
  ),
  'verdict.skill_none': text('Not shown: alpha not above 0', '未显示：阿尔法不大于0', '未顯示：阿爾法不大於0'),
  'verdict.skill_chance': text('Not shown: psr below 0.95', '未显示：psr低于0.95', '未顯示：psr低於0.95'),
  'verdict.skill_errors': text(
    'Not shown: psr 0.95 or more, alpha_t below 1.645',
    '未显示：psr不低于0.95，alpha_t低于1.645',
    '未顯示：psr不低於0.95，alpha_t低於1.645',
  ),
  'verdict.skill_ex_ante': text(
    'Not shown: only what was known beforehand fails (`ex_ante`)',
    '未显示：仅事前已知部分（`ex_ante`）未达到',
    '未顯示：僅事前已知部分（`ex_ante`）未達到',
  ),
  'verdict.skill_no_market': text(
    'Not shown: the market that was held does not vary',
    '未显示：所持市场没有波动',
    '未顯示：所持市場沒有波動',
  ),
  'verdict.skill_unknown': text('Not shown: a probability is not defined', '未显示：概率无定义', '未顯示：機率無定義'),
  'verdict.skill_holding': text('Nothing is left beyond the market', '市场之外没有剩余', '市場之外沒有剩餘'),
  'verdict.skill_idle': text('The returns do not vary', '收益没有波动', '報酬沒有波動'),
  'verdict.skill_short': text('Fewer than 120 sessions', '交易日少于120个', '交易日少於120個'),
  'verdict.skill_short_periods': text(
    'A record of weeks or months: fewer than 120',
    '周或月的记录：少于120期',
    '週或月的紀錄：少於120期',
  ),
  'verdict.search_shown': text(
    'Search: consistent p-value of the test of superior predictive ability 0.05 or less',
    '参数优化：优越预测能力检验的一致p值不高于0.05',
    '參數最佳化：優越預測能力檢定的一致p值不高於0.05',
  ),
  'verdict.search_shown_rarely': text(
    'The same, the p-value below 0.005',
    '同上，且p值低于0.005',
    '同上，且p值低於0.005',
  ),
  'verdict.search_not_shown': text('Search: p-value above 0.05', '参数优化：p值高于0.05', '參數最佳化：p值高於0.05'),
  'verdict.chosen_best': text(
    'Chosen by a search among more than one combination',
    '由参数优化从多组参数中选出',
    '由參數最佳化從多組參數中選出',
  ),
  'verdict.chosen_among': text(
    'The account has tried more than one combination of parameters for this instrument and strategy',
    '该账户对此标的与策略尝试过不止一组参数',
    '該帳戶對此標的與策略嘗試過不只一組參數',
  ),
  'verdict.best_of_account': text(
    'The account has computed more runs within 365 days than these combinations',
    '该账户365天内的运行多于上述组合',
    '該帳戶365天內的執行多於上述組合',
  ),
  'verdict.one_of_account': text('The same, where no ratio is defined', '同上，且比率无定义', '同上，且比率無定義'),
  'verdict.costs_took_gain': text(
    'Annual return not above 0, but above 0 before costs',
    '年化收益不大于0，但扣除成本前大于0',
    '年化報酬不大於0，但扣除成本前大於0',
  ),
  'verdict.heavy_costs': text(
    'Annual return above 0, costs at least half of it and costs together',
    '年化收益大于0，成本至少占成本与年化收益之和的一半',
    '年化報酬大於0，成本至少占成本與年化報酬之和的一半',
  ),
  'verdict.few_trades': text('Fewer than 30 trades', '交易少于30笔', '交易少於30筆'),
  'verdict.few_positions': text('Portfolio: fewer than 30 positions', '组合：头寸少于30个', '組合：部位少於30個'),
  'verdict.more_periods': text(
    'The same for a record of weeks or months',
    '周或月的记录，同样如此',
    '週或月的紀錄，同樣如此',
  ),
  'verdict.more_sessions': text(
    'Not shown, and the minimum track record is longer than the range',
    '未显示，且所需最短记录长于区间',
    '未顯示，且所需最短紀錄長於區間',
  ),
  'verdict.no_gain_to_prove': text(
    'Not shown, and alpha not above 0',
    '未显示，且阿尔法不大于0',
    '未顯示，且阿爾法不大於0',
  ),
  'verdict.one_choice': text('Shown', '已显示', '已顯示'),
  'verdict.factor_alpha': text('With factors', '给定因子时', '給定因子時'),
  'verdict.follows_benchmark': text(
    'Without factors: correlation with the benchmark 0.90 or more',
    '未给定因子时：与基准的相关系数不低于0.90',
    '未給定因子時：與基準的相關係數不低於0.90',
  ),
  'verdict.entries_better': text(
    'One instrument: skill is shown, and at least 95% of the runs with random entries ended below',
    '单一标的：已显示本领，且至少95%的随机入场运行结果更低',
    '單一標的：已顯示本領，且至少95%的隨機進場執行結果更低',
  ),
  'verdict.entries_rank': text('One instrument, otherwise', '单一标的，其他情况', '單一標的，其他情況'),
  'verdict.sets_better': text(
    'Rotation: skill is shown, and at least 95% of the runs with random names ended below',
    '轮动：已显示本领，且至少95%的随机选股运行结果更低',
    '輪動：已顯示本領，且至少95%的隨機選股執行結果更低',
  ),
  'verdict.sets_rank': text('Rotation, otherwise', '轮动，其他情况', '輪動，其他情況'),
  'verdict.sets_skipped': text(
    'Rotation: positions × sessions × 500 above 10⁸, or bars that do not fit in memory',
    '轮动：头寸、交易日与500之积超过10⁸，或数据超出内存',
    '輪動：部位、交易日與500之積超過10⁸，或資料超出記憶體',
  ),
  'verdict.loss_share': text('Always, where histories were resampled', '只要进行了重抽样', '只要進行了重抽樣'),
  'verdict.drawdown_expected': text('Always, where histories were resampled', '只要进行了重抽样', '只要進行了重抽樣'),
} as const satisfies Record<`verdict.${SentenceKey}`, Text>;
