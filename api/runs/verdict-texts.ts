/** The sentences of verdicts in the three languages. `{place:form}` is replaced by the figure of that place in that form. */
import type { Sentence, SentenceKey } from '../../engine/tear-sheet/verdict.ts';
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
    'The run gained {returns.total_pct:1}% and its benchmark {benchmark.total_pct:1}%: the run earned more.',
    '本次运行收益{returns.total_pct:1}%，基准{benchmark.total_pct:1}%：跑赢基准。',
    '本次執行報酬{returns.total_pct:1}%，基準{benchmark.total_pct:1}%：勝過基準。',
  ),
  gained_less: text(
    'The run gained {returns.total_pct:1}% and its benchmark {benchmark.total_pct:1}%: the run did not earn more.',
    '本次运行收益{returns.total_pct:1}%，基准{benchmark.total_pct:1}%：未跑赢基准。',
    '本次執行報酬{returns.total_pct:1}%，基準{benchmark.total_pct:1}%：未勝過基準。',
  ),
  lost_less: text(
    'The run returned {returns.total_pct:1}% and its benchmark {benchmark.total_pct:1}%: the run lost less.',
    '本次运行收益{returns.total_pct:1}%，基准{benchmark.total_pct:1}%：亏损小于基准。',
    '本次執行報酬{returns.total_pct:1}%，基準{benchmark.total_pct:1}%：虧損小於基準。',
  ),
  lost_more: text(
    'The run returned {returns.total_pct:1}% and its benchmark {benchmark.total_pct:1}%: the run earned nothing, and no more than its benchmark.',
    '本次运行收益{returns.total_pct:1}%，基准{benchmark.total_pct:1}%：没有盈利，也不高于基准。',
    '本次執行報酬{returns.total_pct:1}%，基準{benchmark.total_pct:1}%：沒有獲利，也不高於基準。',
  ),
  sharpe_shown: text(
    'The Sharpe ratio is {returns.sharpe:2}. The true ratio is above 0 in {statistics.psr:cases} of 100 cases, at least 95: chance does not explain it.',
    '夏普比率为{returns.sharpe:2}，真实比率大于0的可能性为{statistics.psr:cases}%，不低于95%：难以用运气解释。',
    '夏普比率為{returns.sharpe:2}，真實比率大於0的機率為{statistics.psr:cases}%，不低於95%：難以用運氣解釋。',
  ),
  sharpe_not_shown: text(
    'The Sharpe ratio is {returns.sharpe:2}. The true ratio is above 0 in {statistics.psr:cases} of 100 cases, fewer than 95: chance can explain it.',
    '夏普比率为{returns.sharpe:2}，真实比率大于0的可能性为{statistics.psr:cases}%，低于95%：可能只是运气。',
    '夏普比率為{returns.sharpe:2}，真實比率大於0的機率為{statistics.psr:cases}%，低於95%：可能只是運氣。',
  ),
  alpha_shown: text(
    'The part that the factors do not explain earned {regression.terms.0.coefficient:share}% a session (p = {regression.terms.0.p:3}, at most 0.05): above 0.',
    '因子未能解释的部分每个交易日收益{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}，不高于0.05）：大于0。',
    '因子未能解釋的部分每個交易日報酬{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}，不高於0.05）：大於0。',
  ),
  alpha_not_shown: text(
    'The part that the factors do not explain earned {regression.terms.0.coefficient:share}% a session (p = {regression.terms.0.p:3}, above 0.05): it cannot be told from 0.',
    '因子未能解释的部分每个交易日收益{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}，高于0.05）：与0无法区分。',
    '因子未能解釋的部分每個交易日報酬{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}，高於0.05）：與0無法區分。',
  ),
  alpha_negative: text(
    'The part that the factors do not explain earned {regression.terms.0.coefficient:share}% a session (p = {regression.terms.0.p:3}, at most 0.05): below 0.',
    '因子未能解释的部分每个交易日收益{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}，不高于0.05）：小于0。',
    '因子未能解釋的部分每個交易日報酬{regression.terms.0.coefficient:share}%（p = {regression.terms.0.p:3}，不高於0.05）：小於0。',
  ),
  follows_benchmark: text(
    'The run moves with its benchmark: correlation {benchmark.correlation:2} (0.90 or more), beta {benchmark.beta:2}.',
    '本次运行与基准同步：相关系数{benchmark.correlation:2}（不低于0.90），贝塔{benchmark.beta:2}。',
    '本次執行與基準同步：相關係數{benchmark.correlation:2}（不低於0.90），貝塔{benchmark.beta:2}。',
  ),
  entries_better: text(
    'Of the runs with random entries, {chance.random_entries.rank:cases} of 100 ended below this one, at least 95: the choice of the entries counts.',
    '在随机入场的运行中，{chance.random_entries.rank:cases}%的结果低于本次，不低于95%：入场时机起了作用。',
    '在隨機進場的執行中，{chance.random_entries.rank:cases}%的結果低於本次，不低於95%：進場時機起了作用。',
  ),
  entries_no_better: text(
    'Of the runs with random entries, {chance.random_entries.rank:cases} of 100 ended below this one, fewer than 95: its entries may be luck.',
    '在随机入场的运行中，{chance.random_entries.rank:cases}%的结果低于本次，低于95%：入场时机可能只是运气。',
    '在隨機進場的執行中，{chance.random_entries.rank:cases}%的結果低於本次，低於95%：進場時機可能只是運氣。',
  ),
  loss_unlikely: text(
    'In {chance.bootstrap.p_loss:cases} of 100 resampled histories the run lost money, at most 5.',
    '在重抽样的历史中，亏损的占{chance.bootstrap.p_loss:cases}%，不超过5%。',
    '在重抽樣的歷史中，虧損的占{chance.bootstrap.p_loss:cases}%，不超過5%。',
  ),
  loss_possible: text(
    'In {chance.bootstrap.p_loss:cases} of 100 resampled histories the run lost money, more than 5.',
    '在重抽样的历史中，亏损的占{chance.bootstrap.p_loss:cases}%，超过5%。',
    '在重抽樣的歷史中，虧損的占{chance.bootstrap.p_loss:cases}%，超過5%。',
  ),
  drawdown_expected: text(
    'The largest drawdown was {returns.max_drawdown_pct:1}%. In 5 of 100 resampled histories it was {chance.bootstrap.max_drawdown_pct.p95:1}% or more.',
    '最大回撤为{returns.max_drawdown_pct:1}%。在重抽样的历史中，有5%的最大回撤达到或超过{chance.bootstrap.max_drawdown_pct.p95:1}%。',
    '最大回撤為{returns.max_drawdown_pct:1}%。在重抽樣的歷史中，有5%的最大回撤達到或超過{chance.bootstrap.max_drawdown_pct.p95:1}%。',
  ),
  few_trades: text(
    'It closed {trades.count:0} trades. With fewer than 30, figures per trade say little.',
    '共{trades.count:0}笔交易，少于30笔，按笔统计的指标参考价值有限。',
    '共{trades.count:0}筆交易，少於30筆，逐筆統計的指標參考價值有限。',
  ),
  heavy_costs: text(
    'Commission took {time.costs.commission_pct_per_year:2}% and slippage {time.costs.slippage_pct_per_year:2}% of the equity a year, and {returns.annual_return_pct:2}% were left: at least half of what there was before costs.',
    '佣金每年占净值的{time.costs.commission_pct_per_year:2}%，滑点占{time.costs.slippage_pct_per_year:2}%，剩余年化收益{returns.annual_return_pct:2}%：成本至少占扣除前收益的一半。',
    '手續費每年占淨值的{time.costs.commission_pct_per_year:2}%，滑價占{time.costs.slippage_pct_per_year:2}%，剩餘年化報酬{returns.annual_return_pct:2}%：成本至少占扣除前報酬的一半。',
  ),
  more_sessions: text(
    'What would change this: {statistics.min_track_record_bars:0} sessions with the same returns; there are {sessions:0}.',
    '何时改变判断：以相同的收益持续{statistics.min_track_record_bars:0}个交易日；现有{sessions:0}个。',
    '何時改變判斷：以相同的報酬持續{statistics.min_track_record_bars:0}個交易日；現有{sessions:0}個。',
  ),
  no_gain_to_prove: text(
    'What would change this: a Sharpe ratio above 0. It is {returns.sharpe:2}, and more sessions with the same returns do not help.',
    '何时改变判断：夏普比率大于0。目前为{returns.sharpe:2}，以相同的收益延长时间没有帮助。',
    '何時改變判斷：夏普比率大於0。目前為{returns.sharpe:2}，以相同的報酬延長時間沒有幫助。',
  ),
  one_choice: text(
    'What would change this: the {statistics.psr:cases} of 100 cases count one run. If it is the best of many that were tried, the deflated Sharpe ratio of the search counts instead.',
    '何时改变判断：上述{statistics.psr:cases}%只针对一次运行。如果它是多次尝试中的最优者，应以参数优化的缩减夏普比率为准。',
    '何時改變判斷：上述{statistics.psr:cases}%只針對一次執行。若它是多次嘗試中的最佳者，應以參數最佳化的縮減夏普比率為準。',
  ),
  chosen_among: text(
    'It is one of {selection.trials:0} combinations that were tried. To be more than the luckiest of them, a result like this must last {selection.min_backtest_years:1} years.',
    '它是已尝试的{selection.trials:0}组参数之一。此类结果需持续{selection.min_backtest_years:1}年，才能排除只是其中运气最好的一组。',
    '它是已嘗試的{selection.trials:0}組參數之一。此類結果需持續{selection.min_backtest_years:1}年，才能排除只是其中運氣最好的一組。',
  ),
  chosen_best: text(
    'It is the best of {selection.trials:0} combinations that were tried. The deflated Sharpe ratio counts them: it is more than luck in {selection.dsr:cases} of 100 cases.',
    '它是已尝试的{selection.trials:0}组参数中的最优者。缩减夏普比率已计入这些尝试：不只是运气的可能性为{selection.dsr:cases}%。',
    '它是已嘗試的{selection.trials:0}組參數中的最佳者。縮減夏普比率已計入這些嘗試：不只是運氣的機率為{selection.dsr:cases}%。',
  ),
};

const PERCENT_OF_SHARE = 100;
const COEFFICIENT_DECIMALS = 4;

/** Digits in groups, which is the same in the three languages. */
const grouped = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });

/** `cases`: a probability as a number of 100 cases; `share`: a fraction in percent; a digit: that many decimals. */
function written(figure: number, form: string): string {
  if (form === 'cases') return String(Math.round(PERCENT_OF_SHARE * figure));
  if (form === 'share') return (PERCENT_OF_SHARE * figure).toFixed(COEFFICIENT_DECIMALS);
  return figure.toLocaleString('en-US', grouped(Number(form)));
}

/** The sentence with dots for its figures. */
export function verdictPattern(key: SentenceKey, locale: Locale): string {
  return VERDICT_TEXTS[key][locale].replace(/\{[\w.]+:\w+\}/g, '…');
}

export function verdictText({ key, figures }: Sentence, locale: Locale): string {
  return VERDICT_TEXTS[key][locale].replace(/\{([\w.]+):(\w+)\}/g, (_, place: string, form: string) =>
    written(figures[place], form),
  );
}
