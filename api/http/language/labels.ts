/** Names, notes, and hints in answers, in the three languages. `{name}` is replaced by a detail. */
import { text } from '../../../engine/util/localized-text.ts';
import { fill, type Locale, type Text } from './locale.ts';
import { NOTE_TEXTS } from './note-texts.ts';

/** Kinds of doubts, in answers and on the site. */
export const FINDING_TEXTS = {
  'finding.contradicted': text('prices contradict the event', '价格与事件不符', '價格與事件不符'),
  'finding.split_suspected': text('a jump like that of a split', '疑似未记录的拆合股', '疑似未記錄的分割或合併'),
  'finding.hole': text('a long time without bars', '长期没有数据', '長期沒有資料'),
} as const satisfies Record<string, Text>;

export const LABEL_TEXTS = {
  'venue.consolidated': text('All trading venues', '全市场合并', '全市場合併'),
  'venue.single_venue': text('Single exchange', '单一交易所', '單一交易所'),
  'timeliness.eod_only': text(
    'End of day, available from the day after the session (T+1)',
    '收盘数据，交易日次日起提供（T+1）',
    '收盤資料，交易日次日起提供（T+1）',
  ),
  'timeliness.delayed': text('Delayed by at least 15 minutes', '至少延迟15分钟', '至少延遲15分鐘'),
  'timeliness.realtime': text('Real time', '实时', '即時'),
  ...NOTE_TEXTS,
  ...FINDING_TEXTS,
  'statistics.drift': text(
    'The probabilistic Sharpe ratio is {psr}. It asks only whether the mean return is above 0, which holds in every market that rises.',
    '概率夏普比率为{psr}。它只回答平均收益是否大于0，而任何上涨的市场都是如此。',
    '機率夏普比率為{psr}。它只回答平均報酬是否大於0，而任何上漲的市場都是如此。',
  ),
  'statistics.interval': text(
    'In 90 of 100 resamples the annualized return lies between {low}% and {high}%.',
    '在重抽样中，90%的年化收益率介于{low}%与{high}%之间。',
    '在重抽樣中，90%的年化報酬率介於{low}%與{high}%之間。',
  ),
  'statistics.alpha_interval': text(
    'In 90 of 100 resamples it earned between {low}% and {high}% a year beyond the market that it held.',
    '在重抽样中，90%的情况下其在所持市场之外的年收益介于{low}%与{high}%之间。',
    '在重抽樣中，90%的情況下其在所持市場之外的年報酬介於{low}%與{high}%之間。',
  ),
  'statistics.pbo': text(
    'In {cases} of 100 splits of the time, the best of {columns} combinations in one half was not above the middle in the other half.',
    '在{cases}%的时间划分中，{columns}组参数里一半时间内的最优组合在另一半时间内未能高于中位。',
    '在{cases}%的時間劃分中，{columns}組參數裡一半時間內的最佳組合在另一半時間內未能高於中位。',
  ),
  'statistics.step_m': text(
    '{count} of {columns} combinations beat the market that was held, with 95% confidence for all of them together.',
    '{columns}组参数中有{count}组优于所持市场，整体置信度为95%。',
    '{columns}組參數中有{count}組優於所持市場，整體信心水準為95%。',
  ),
  'statistics.cpcv': text(
    'Of {paths} paths put together from tests that the choice had not seen, {below} have a Sharpe ratio below 0.',
    '由选择时未见过的测试段拼成的{paths}条路径中，有{below}条的夏普比率低于0。',
    '由選擇時未見過的測試段拼成的{paths}條路徑中，有{below}條的夏普比率低於0。',
  ),
  'statistics.haircut': text(
    'After {tests} tests the Sharpe ratio of the best is worth {bonferroni} (Bonferroni), {holm} (Holm), or {bhy} (BHY).',
    '扣除{tests}次检验的影响后，最优组合的夏普比率相当于{bonferroni}（Bonferroni）、{holm}（Holm）或{bhy}（BHY）。',
    '扣除{tests}次檢定的影響後，最佳組合的夏普比率相當於{bonferroni}（Bonferroni）、{holm}（Holm）或{bhy}（BHY）。',
  ),
  'kline.incomplete_history': text(
    'Sessions in the range that are not loaded: {count}. The candles omit them.',
    '该区间内有{count}个交易日尚未加载，返回的数据不包含这些交易日。',
    '此區間內有{count}個交易日尚未載入，回傳的資料不包含這些交易日。',
  ),
  'run.queue_paused': text(
    'The operator has paused jobs of this kind. This one waits, and starts when they are resumed.',
    '运营方已暂停此类任务。本任务正在等待，恢复后将自动开始。',
    '營運方已暫停此類工作。此工作正在等待，恢復後將自動開始。',
  ),
  'history.being_loaded': text('They are being loaded now.', '缺失的交易日正在加载。', '缺少的交易日正在載入。'),
  'column.seq': text('No.', '序号', '序號'),
  'column.entry_date': text('Entry date', '入场日期', '進場日期'),
  'column.entry_price': text('Entry price', '入场价', '進場價'),
  'column.exit_date': text('Exit date', '出场日期', '出場日期'),
  'column.exit_price': text('Exit price', '出场价', '出場價'),
  'column.shares': text('Shares', '股数', '股數'),
  'column.pnl': text('P&L', '盈亏', '損益'),
  'column.pnl_pct': text('P&L, %', '盈亏（%）', '損益（%）'),
  'column.bars_held': text('Bars held', '持有天数（根）', '持有天數（根）'),
  'column.commission': text('Commission', '佣金', '手續費'),
  'column.mae_pct': text('Maximum adverse excursion, %', '最大不利波动（%）', '最大不利波動（%）'),
  'column.mfe_pct': text('Maximum favorable excursion, %', '最大有利波动（%）', '最大有利波動（%）'),
  'column.entry_reason': text('Entry reason', '入场原因', '進場原因'),
  'column.exit_reason': text('Exit reason', '出场原因', '出場原因'),
  'column.ts': text('Date', '日期', '交易日期'),
  'column.open': text('Open', '开盘价', '開盤價'),
  'column.high': text('High', '最高价', '最高價'),
  'column.low': text('Low', '最低价', '最低價'),
  'column.close': text('Close', '收盘价', '收盤價'),
  'column.volume': text('Volume', '成交量', '成交量（股）'),
  'column.equity': text('Equity', '净值', '淨值'),
  'column.drawdown_pct': text('Drawdown, %', '回撤（%）', '回撤（%）'),
  'column.symbol': text('Symbol', '代码', '代號'),
  'column.count': text('Positions', '持仓数', '持股檔數'),
  'column.invested_pct': text('Invested, %', '持仓占比（%）', '持股比重（%）'),
  'column.eligible': text('Eligible', '符合条件', '符合條件'),
  'column.scored': text('Scored', '有得分', '有得分'),
  'column.entered': text('Entered', '新入选', '新入選'),
  'column.left': text('Left', '退出', '退出'),
  'column.turnover_pct': text('Turnover, %', '换手率（%）', '週轉率（%）'),
  'column.filter': text('Market filter', '市场过滤', '市場過濾'),
  'column.weights': text('Weights', '权重', '權重'),
  'column.trades': text('Trades', '交易次数', '交易次數'),
  'column.pnl_share_pct': text('Share of P&L, %', '盈亏占比（%）', '損益占比（%）'),
  'column.buy_hold': text('Buy and hold', '买入持有', '買進持有'),
  'column.horizon': text('Sessions later', '交易日后', '交易日後'),
  'column.hits': text('Hits', '命中', '命中'),
  'column.open_hits': text('Hits still open', '尚未到期的命中', '尚未到期的命中'),
  'column.no_entry': text('Hits without an entry', '无法入场的命中', '無法進場的命中'),
  'column.ended': text('Hits delisted before', '期间退市的命中', '期間下市的命中'),
  'column.days': text('Days', '天数', '天數'),
  'column.instruments': text('Instruments', '标的数', '標的數'),
  'column.mean': text('Mean', '均值', '平均'),
  'column.median': text('Median', '中位数', '中位數'),
  'column.p5': text('5th percentile', '第5百分位', '第5百分位數'),
  'column.p25': text('25th percentile', '第25百分位', '第25百分位數'),
  'column.p75': text('75th percentile', '第75百分位', '第75百分位數'),
  'column.p95': text('95th percentile', '第95百分位', '第95百分位數'),
  'column.positive_share': text('Share above 0', '为正的比例', '為正的比例'),
  'column.others': text('Others', '其他', '其他'),
  'column.excess': text('Excess', '超额', '超額'),
  'column.alpha': text('Alpha', 'α', 'α'),
  'column.t': text('t', 't值', 't值'),
  'column.p': text('p', 'p值', 'p值'),
  'column.year': text('Year', '年份', '年份'),
  'column.by': text('Condition that tells hits apart', '区分条件', '區分條件'),
  'column.difference': text('Difference', '差值', '差值'),
  'column.offset': text('Sessions from the hit', '距命中交易日数', '距命中交易日數'),
  'column.value': text('Return', '收益', '報酬'),
  'kline.older_bars_in_backtests': text(
    'Older bars exist on the primary-session basis. Backtests use them; candles do not.',
    '更早的日线属于主交易所时段口径，K线接口不提供，回测会使用。',
    '更早的日線屬於主要交易所時段口徑，K線端點不提供，回測會使用。',
  ),
  'range.no_bars': text(
    '{symbol} has no consolidated bars.',
    '{symbol}没有全市场合并口径的日线。',
    '{symbol}沒有全市場合併口徑的日線。',
  ),
  'range.before_listing': text(
    'The range starts before the listing. The first bar is on {start}.',
    '起始日期早于上市日期，实际从{start}开始。',
    '起始日期早於上市日期，實際自{start}開始。',
  ),
  'range.before_data_start': text(
    'The range starts before the data. The first bar is on {start}.',
    '起始日期早于数据起点，实际从{start}开始。',
    '起始日期早於資料起點，實際自{start}開始。',
  ),
  'range.after_delisting': text(
    'The range ends after the delisting. The last bar is on {end}.',
    '结束日期晚于退市日期，实际到{end}为止。',
    '結束日期晚於下市日期，實際到{end}為止。',
  ),
  'range.after_data_end': text(
    'The range ends after the data. The last bar is on {end}.',
    '结束日期晚于数据终点，实际到{end}为止。',
    '結束日期晚於資料終點，實際到{end}為止。',
  ),
  'range.not_loaded': text(
    'Sessions at one end of the range are not loaded. The bars cover {start} to {end}.',
    '区间一端的部分交易日尚未加载，实际数据为{start}至{end}。',
    '區間一端的部分交易日尚未載入，實際資料為{start}至{end}。',
  ),
  'range.none_loaded': text(
    'Some sessions in the range are not loaded, and the others have no bars.',
    '该区间的部分交易日尚未加载，其余交易日没有数据。',
    '此區間的部分交易日尚未載入，其餘交易日沒有資料。',
  ),
  'stats.latency': text(
    'Counts cover kept backtests and exclude guest runs. Durations come from the access log and include guest runs.',
    '数量统计自已保存的回测（不含访客运行）；耗时统计自访问日志（含访客运行）。',
    '數量統計自已儲存的回測（不含訪客執行）；耗時統計自存取紀錄（含訪客執行）。',
  ),
  'note.delisted': text('Delisted on {date}.', '已于{date}退市。', '已於{date}下市。'),
} as const satisfies Record<string, Text>;

export type LabelKey = keyof typeof LABEL_TEXTS;

export function labelText(key: LabelKey, locale: Locale, details: Readonly<Record<string, string>> = {}): string {
  return fill(LABEL_TEXTS[key][locale], details);
}
