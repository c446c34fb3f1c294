/** The sentences of verdicts in the three languages. `{place:form}` is replaced by the figure of that place in that form. */

import type { Sentence, SentenceKey } from '../../engine/tear-sheet/sentence.ts';

import { text } from '../../engine/util/localized-text.ts';
import type { Locale, Text } from '../http/language/locale.ts';

const VERDICT_TEXTS: Readonly<Record<SentenceKey, Text>> = {
  kept_differs: text(
    'The kept result returned {total_pnl_pct:2}%. On the data and with the engine of today the run returns {returns.total_pct:2}%, and this sheet shows that.',
    '保存的结果收益率为{total_pnl_pct:2}%。以今天的数据和引擎计算，收益率为{returns.total_pct:2}%，本报告显示后者。',
    '儲存的結果報酬率為{total_pnl_pct:2}%。以今天的資料與引擎計算，報酬率為{returns.total_pct:2}%，本報告顯示後者。',
  ),
  no_trades: text(
    'The run made no trade. There is nothing to judge.',
    '本次运行没有成交，无从判断。',
    '本次執行沒有成交，無從判斷。',
  ),
  gained_more: text(
    'Gained {returns.total_pct:abs}% while its benchmark gained {benchmark.total_pct:abs}%.',
    '收益{returns.total_pct:abs}%，同期基准收益{benchmark.total_pct:abs}%。',
    '報酬{returns.total_pct:abs}%，同期基準報酬{benchmark.total_pct:abs}%。',
  ),
  gained_less: text(
    'Gained {returns.total_pct:abs}% while its benchmark gained {benchmark.total_pct:abs}%: less than its benchmark.',
    '收益{returns.total_pct:abs}%，同期基准收益{benchmark.total_pct:abs}%：低于基准。',
    '報酬{returns.total_pct:abs}%，同期基準報酬{benchmark.total_pct:abs}%：低於基準。',
  ),
  gained_same: text(
    'Gained {returns.total_pct:abs}%, as its benchmark did.',
    '收益{returns.total_pct:abs}%，与基准相同。',
    '報酬{returns.total_pct:abs}%，與基準相同。',
  ),
  gained_while_lost: text(
    'Gained {returns.total_pct:abs}% while its benchmark lost {benchmark.total_pct:abs}%.',
    '收益{returns.total_pct:abs}%，同期基准亏损{benchmark.total_pct:abs}%。',
    '報酬{returns.total_pct:abs}%，同期基準虧損{benchmark.total_pct:abs}%。',
  ),
  lost_less: text(
    'Lost {returns.total_pct:abs}% while its benchmark lost {benchmark.total_pct:abs}%.',
    '亏损{returns.total_pct:abs}%，同期基准亏损{benchmark.total_pct:abs}%。',
    '虧損{returns.total_pct:abs}%，同期基準虧損{benchmark.total_pct:abs}%。',
  ),
  lost_more: text(
    'Lost {returns.total_pct:abs}% while its benchmark lost {benchmark.total_pct:abs}%: more than its benchmark.',
    '亏损{returns.total_pct:abs}%，同期基准亏损{benchmark.total_pct:abs}%：大于基准。',
    '虧損{returns.total_pct:abs}%，同期基準虧損{benchmark.total_pct:abs}%：大於基準。',
  ),
  lost_same: text(
    'Lost {returns.total_pct:abs}%, as its benchmark did.',
    '亏损{returns.total_pct:abs}%，与基准相同。',
    '虧損{returns.total_pct:abs}%，與基準相同。',
  ),
  lost_while_gained: text(
    'Lost {returns.total_pct:abs}% while its benchmark gained {benchmark.total_pct:abs}%.',
    '亏损{returns.total_pct:abs}%，同期基准收益{benchmark.total_pct:abs}%。',
    '虧損{returns.total_pct:abs}%，同期基準報酬{benchmark.total_pct:abs}%。',
  ),
  returned: text(
    'Returned {returns.total_pct:1}% while its benchmark returned {benchmark.total_pct:1}%.',
    '收益率为{returns.total_pct:1}%，同期基准为{benchmark.total_pct:1}%。',
    '報酬率為{returns.total_pct:1}%，同期基準為{benchmark.total_pct:1}%。',
  ),
  skill_shown: text(
    'Shown: beyond the market that it held it earned {statistics.skill.alpha_pct:1}% a year. Were there no skill beyond that market, a result this good would come in {of_100:0} of 100 samples.',
    '已显示：在所持市场之外，每年收益{statistics.skill.alpha_pct:1}%。若在该市场之外没有任何本领，100个样本中有{of_100:0}个会得到这样好的结果。',
    '已顯示：在所持市場之外，每年報酬{statistics.skill.alpha_pct:1}%。若在該市場之外沒有任何本領，100個樣本中有{of_100:0}個會得到這樣好的結果。',
  ),
  skill_shown_rarely: text(
    'Shown: beyond the market that it held it earned {statistics.skill.alpha_pct:1}% a year. Were there no skill beyond that market, a result this good would come in fewer than 1 of 100 samples.',
    '已显示：在所持市场之外，每年收益{statistics.skill.alpha_pct:1}%。若在该市场之外没有任何本领，100个样本中不到1个会得到这样好的结果。',
    '已顯示：在所持市場之外，每年報酬{statistics.skill.alpha_pct:1}%。若在該市場之外沒有任何本領，100個樣本中不到1個會得到這樣好的結果。',
  ),
  skill_none: text(
    'Not shown: beyond the market that it held it lost {statistics.skill.alpha_pct:1}% a year.',
    '未显示本领：在所持市场之外，每年亏损{statistics.skill.alpha_pct:1}%。',
    '未顯示本領：在所持市場之外，每年虧損{statistics.skill.alpha_pct:1}%。',
  ),
  skill_chance: text(
    'Not shown: chance could have done it. Beyond the market that it held it earned {statistics.skill.alpha_pct:1}% a year; were there no skill, a result this good would come in {of_100:0} of 100 samples.',
    '未显示本领：运气也可能做到。在所持市场之外，每年收益{statistics.skill.alpha_pct:1}%；若没有任何本领，100个样本中有{of_100:0}个会得到这样好的结果。',
    '未顯示本領：運氣也可能做到。在所持市場之外，每年報酬{statistics.skill.alpha_pct:1}%；若沒有任何本領，100個樣本中有{of_100:0}個會得到這樣好的結果。',
  ),
  skill_errors: text(
    'Not shown: chance could have done it once returns that follow each other are counted. The t of what it earned beyond the market that it held is {statistics.skill.alpha_t:3}, below 1.645.',
    '未显示本领：计入前后相关的收益后，运气也可能做到。在所持市场之外收益的t值为{statistics.skill.alpha_t:3}，低于1.645。',
    '未顯示本領：計入前後相關的報酬後，運氣也可能做到。在所持市場之外報酬的t值為{statistics.skill.alpha_t:3}，低於1.645。',
  ),
  skill_ex_ante: text(
    "Not shown: without knowing the market's mean beforehand, chance could have done it (t {statistics.skill.ex_ante.t:2}).",
    '未显示本领：若不能事先知道市场的平均收益，运气也可能做到（t值{statistics.skill.ex_ante.t:2}）。',
    '未顯示本領：若不能事先知道市場的平均報酬，運氣也可能做到（t值{statistics.skill.ex_ante.t:2}）。',
  ),
  skill_no_market: text(
    'Not shown: the market that it held did not move, so that nothing can be told beside it.',
    '未显示本领：所持市场没有波动，无从比较。',
    '未顯示本領：所持市場沒有波動，無從比較。',
  ),
  skill_unknown: text(
    'Not shown: beyond the market that it held it earned {statistics.skill.alpha_pct:1}% a year, and how often chance does that cannot be computed.',
    '未显示本领：在所持市场之外，每年收益{statistics.skill.alpha_pct:1}%，但无法计算运气做到的频率。',
    '未顯示本領：在所持市場之外，每年報酬{statistics.skill.alpha_pct:1}%，但無法計算運氣做到的頻率。',
  ),
  skill_holding: text(
    'Beside {statistics.skill.beta:2} times the market that it held, nothing was earned and nothing lost: there is no skill to tell.',
    '除所持市场的{statistics.skill.beta:2}倍之外，没有其他盈亏：无本领可言。',
    '除所持市場的{statistics.skill.beta:2}倍之外，沒有其他盈虧：無本領可言。',
  ),
  skill_idle: text(
    'Nothing was earned and nothing lost: there is no skill to tell.',
    '没有盈亏：无本领可言。',
    '沒有盈虧：無本領可言。',
  ),
  skill_short: text(
    'Too short to tell: {sessions:0} sessions. Skill is told from 120 on.',
    '太短，无法判断：仅{sessions:0}个交易日，至少120个才能判断本领。',
    '太短，無法判斷：僅{sessions:0}個交易日，至少120個才能判斷本領。',
  ),
  skill_short_periods: text(
    'Too short to tell: {sessions:0} periods. Skill is told from 120 on.',
    '太短，无法判断：仅{sessions:0}期，至少120期才能判断本领。',
    '太短，無法判斷：僅{sessions:0}期，至少120期才能判斷本領。',
  ),
  search_shown: text(
    'Shown: were no combination better than the market that was held, the best would look this good in {of_100:0} of 100 samples.',
    '已显示：若没有任何组合优于所持市场，100个样本中有{of_100:0}个会出现这样好的最优组合。',
    '已顯示：若沒有任何組合優於所持市場，100個樣本中有{of_100:0}個會出現這樣好的最佳組合。',
  ),
  search_shown_rarely: text(
    'Shown: were no combination better than the market that was held, the best would look this good in fewer than 1 of 100 samples.',
    '已显示：若没有任何组合优于所持市场，100个样本中不到1个会出现这样好的最优组合。',
    '已顯示：若沒有任何組合優於所持市場，100個樣本中不到1個會出現這樣好的最佳組合。',
  ),
  search_not_shown: text(
    'Not shown: were no combination better than the market that was held, the best would look this good in {of_100:0} of 100 samples.',
    '未显示本领：若没有任何组合优于所持市场，100个样本中有{of_100:0}个会出现这样好的最优组合。',
    '未顯示本領：若沒有任何組合優於所持市場，100個樣本中有{of_100:0}個會出現這樣好的最佳組合。',
  ),
  chosen_best: text(
    'It is the best of {selection.trials:0} combinations that were tried. Deflated for them, what it earned beyond the market stands at {selection.skill.dsr:2} of 1.',
    '它是已尝试的{selection.trials:0}组参数中的最优者。扣除这些尝试后，其在市场之外的收益为{selection.skill.dsr:2}（满分1）。',
    '它是已嘗試的{selection.trials:0}組參數中的最佳者。扣除這些嘗試後，其在市場之外的報酬為{selection.skill.dsr:2}（滿分1）。',
  ),
  chosen_among: text(
    'It is one of {selection.trials:0} combinations that were tried: the luckiest of so many looks good too.',
    '它是已尝试的{selection.trials:0}组参数之一：如此多组中运气最好的一组同样会显得出色。',
    '它是已嘗試的{selection.trials:0}組參數之一：如此多組中運氣最好的一組同樣會顯得出色。',
  ),
  best_of_account: text(
    'The account has computed {selection.account.runs:0} runs within a year. Deflated for all of them, what this one earned beyond the market stands at {selection.account.dsr:2} of 1.',
    '该账户一年内计算了{selection.account.runs:0}次运行。扣除全部尝试后，本次在市场之外的收益为{selection.account.dsr:2}（满分1）。',
    '該帳戶一年內計算了{selection.account.runs:0}次執行。扣除全部嘗試後，本次在市場之外的報酬為{selection.account.dsr:2}（滿分1）。',
  ),
  one_of_account: text(
    'The account has computed {selection.account.runs:0} runs within a year; this is one of them.',
    '该账户一年内计算了{selection.account.runs:0}次运行，本次是其中之一。',
    '該帳戶一年內計算了{selection.account.runs:0}次執行，本次是其中之一。',
  ),
  costs_took_gain: text(
    'Costs took the gain: commission {time.costs.commission_pct_per_year:2}% and slippage {time.costs.slippage_pct_per_year:2}% of the equity a year, and {returns.annual_return_pct:2}% a year were left.',
    '成本吞噬了收益：佣金每年占净值的{time.costs.commission_pct_per_year:2}%，滑点占{time.costs.slippage_pct_per_year:2}%，剩余年化收益{returns.annual_return_pct:2}%。',
    '成本吞噬了報酬：手續費每年占淨值的{time.costs.commission_pct_per_year:2}%，滑價占{time.costs.slippage_pct_per_year:2}%，剩餘年化報酬{returns.annual_return_pct:2}%。',
  ),
  heavy_costs: text(
    'Commission took {time.costs.commission_pct_per_year:2}% and slippage {time.costs.slippage_pct_per_year:2}% of the equity a year, and {returns.annual_return_pct:2}% were left: costs took at least half of what was earned before them.',
    '佣金每年占净值的{time.costs.commission_pct_per_year:2}%，滑点占{time.costs.slippage_pct_per_year:2}%，剩余年化收益{returns.annual_return_pct:2}%：成本至少占扣除前收益的一半。',
    '手續費每年占淨值的{time.costs.commission_pct_per_year:2}%，滑價占{time.costs.slippage_pct_per_year:2}%，剩餘年化報酬{returns.annual_return_pct:2}%：成本至少占扣除前報酬的一半。',
  ),
  few_trades: text(
    'With fewer than 30 trades, figures per trade say little. It has {trades.count:0}.',
    '共{trades.count:0}笔交易，少于30笔，按笔统计的指标参考价值有限。',
    '共{trades.count:0}筆交易，少於30筆，逐筆統計的指標參考價值有限。',
  ),
  few_positions: text(
    'With fewer than 30 closed positions, figures per position say little. It has {trades.count:0}.',
    '共平仓{trades.count:0}个头寸，少于30个，按头寸统计的指标参考价值有限。',
    '共平倉{trades.count:0}個部位，少於30個，逐部位統計的指標參考價值有限。',
  ),
  more_sessions: text(
    'What would change this: {statistics.skill.min_track_record_bars:0} sessions with the same returns; there are {sessions:0}.',
    '何时改变判断：以相同的收益持续{statistics.skill.min_track_record_bars:0}个交易日；现有{sessions:0}个。',
    '何時改變判斷：以相同的報酬持續{statistics.skill.min_track_record_bars:0}個交易日；現有{sessions:0}個。',
  ),
  more_periods: text(
    'What would change this: {statistics.skill.min_track_record_bars:0} periods with the same returns; there are {sessions:0}.',
    '何时改变判断：以相同的收益持续{statistics.skill.min_track_record_bars:0}期；现有{sessions:0}期。',
    '何時改變判斷：以相同的報酬持續{statistics.skill.min_track_record_bars:0}期；現有{sessions:0}期。',
  ),
  no_gain_to_prove: text(
    'What would change this: a gain beyond the market. It is {statistics.skill.alpha_pct:1}% a year, and more sessions with the same returns do not help.',
    '何时改变判断：在市场之外取得收益。目前为每年{statistics.skill.alpha_pct:1}%，以相同的收益延长时间没有帮助。',
    '何時改變判斷：在市場之外取得報酬。目前為每年{statistics.skill.alpha_pct:1}%，以相同的報酬延長時間沒有幫助。',
  ),
  one_choice: text(
    'What would change this: this counts one run. If it is the best of many that were tried, what the search shows of them counts instead.',
    '何时改变判断：以上只针对一次运行。如果它是多次尝试中的最优者，应以参数优化的结论为准。',
    '何時改變判斷：以上只針對一次執行。若它是多次嘗試中的最佳者，應以參數最佳化的結論為準。',
  ),
  factor_alpha: text(
    'The part that the factors do not explain returned {regression.terms.0.coefficient:share}% a session (p = {regression.terms.0.p:3}).',
    '因子未能解释的部分每个交易日收益{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}）。',
    '因子未能解釋的部分每個交易日報酬{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}）。',
  ),
  follows_benchmark: text(
    'The run moves with its benchmark: correlation {benchmark.correlation:2} (0.90 or more), beta {benchmark.beta:2}.',
    '本次运行与基准同步：相关系数{benchmark.correlation:2}（不低于0.90），贝塔{benchmark.beta:2}。',
    '本次執行與基準同步：相關係數{benchmark.correlation:2}（不低於0.90），貝塔{benchmark.beta:2}。',
  ),
  entries_better: text(
    'Of the runs with random entries, {chance.random_entries.rank:cases} of 100 ended below this one: the choice of the entries counts.',
    '在随机入场的运行中，{chance.random_entries.rank:cases}%的结果低于本次：入场时机起了作用。',
    '在隨機進場的執行中，{chance.random_entries.rank:cases}%的結果低於本次：進場時機起了作用。',
  ),
  entries_rank: text(
    'Of the runs with random entries, {chance.random_entries.rank:cases} of 100 ended below this one.',
    '在随机入场的运行中，{chance.random_entries.rank:cases}%的结果低于本次。',
    '在隨機進場的執行中，{chance.random_entries.rank:cases}%的結果低於本次。',
  ),
  sets_better: text(
    'Of the runs that chose names at random, {chance.random_sets.rank:cases} of 100 ended below this one: the choice of the names counts.',
    '在随机选股的运行中，{chance.random_sets.rank:cases}%的结果低于本次：选股起了作用。',
    '在隨機選股的執行中，{chance.random_sets.rank:cases}%的結果低於本次：選股起了作用。',
  ),
  sets_rank: text(
    'Of the runs that chose names at random, {chance.random_sets.rank:cases} of 100 ended below this one.',
    '在随机选股的运行中，{chance.random_sets.rank:cases}%的结果低于本次。',
    '在隨機選股的執行中，{chance.random_sets.rank:cases}%的結果低於本次。',
  ),
  sets_skipped: text(
    'Runs that choose names at random were not computed: there are too many positions and sessions.',
    '未计算随机选股的运行：头寸与交易日过多。',
    '未計算隨機選股的執行：部位與交易日過多。',
  ),
  loss_share: text(
    'In {chance.bootstrap.p_loss:cases} of 100 resampled histories the run lost money. They redraw its own returns and say nothing of skill.',
    '在重抽样的历史中，亏损的占{chance.bootstrap.p_loss:cases}%。重抽样只重排本次自身的收益，不说明本领。',
    '在重抽樣的歷史中，虧損的占{chance.bootstrap.p_loss:cases}%。重抽樣只重排本次自身的報酬，不說明本領。',
  ),
  drawdown_expected: text(
    'The largest drawdown was {returns.max_drawdown_pct:1}%. In 5 of 100 resampled histories it was {chance.bootstrap.max_drawdown_pct.p95:1}% or more.',
    '最大回撤为{returns.max_drawdown_pct:1}%。在重抽样的历史中，有5%的最大回撤达到或超过{chance.bootstrap.max_drawdown_pct.p95:1}%。',
    '最大回撤為{returns.max_drawdown_pct:1}%。在重抽樣的歷史中，有5%的最大回撤達到或超過{chance.bootstrap.max_drawdown_pct.p95:1}%。',
  ),
};

/** Takes the place of the full stop of a sentence that has the figure `of_gain`. */
const INTEREST = text(
  '; interest on cash is {of_gain:1}% of the gain.',
  '；现金利息占收益的{of_gain:1}%。',
  '；現金利息占報酬的{of_gain:1}%。',
);

const PERCENT_OF_SHARE = 100;
const COEFFICIENT_DECIMALS = 4;

/** With digits in groups, which is the same in the three languages, and no minus before a rounded 0. */
export function decimal(figure: number, digits: number): string {
  return figure.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
}

/** `cases`: a probability as a number of 100 cases; `share`: a fraction in percent; `abs`: without its sign; a digit: that many decimals. */
function written(figure: number, form: string): string {
  if (form === 'cases') return String(Math.round(PERCENT_OF_SHARE * figure));
  if (form === 'share') return (PERCENT_OF_SHARE * figure).toFixed(COEFFICIENT_DECIMALS);
  if (form === 'abs') return decimal(Math.abs(figure), 1);
  return decimal(figure, Number(form));
}

/** The sentence with dots for its figures. */
export function verdictPattern(key: SentenceKey, locale: Locale): string {
  return VERDICT_TEXTS[key][locale].replace(/\{[\w.]+:\w+\}/g, '…');
}

export function verdictText({ key, figures }: Sentence, locale: Locale): string {
  const own = VERDICT_TEXTS[key][locale];
  const whole = 'of_gain' in figures ? own.replace(/[.。]$/, INTEREST[locale]) : own;
  return whole.replace(/\{([\w.]+):(\w+)\}/g, (_, place: string, form: string) => written(figures[place], form));
}
