/** Names, notes, and hints in answers, in the three languages. `{name}` is replaced by a detail. */
import { text } from '../../../engine/util/localized-text.ts';
import { fill, type Locale, type Text } from './locale.ts';

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
  'backtest.disclaimer': text(
    'Simulated results, for research only. This is not investment advice. Past results do not predict future results.',
    '回测结果仅供研究参考，不构成投资建议；历史表现不代表未来收益。',
    '回測結果僅供研究參考，不構成投資建議；過去績效不代表未來報酬。',
  ),
  'backtest.no_cost_model': text(
    'No costs were set: commission and slippage are zero, which makes frequent trading look better than it is.',
    '未指定交易成本：佣金与滑点按零计算，频繁交易的结果会偏乐观。',
    '未指定交易成本：手續費與滑價以零計算，頻繁交易的結果會偏樂觀。',
  ),
  'backtest.mixed_session_source': text(
    'Bars before 2024-07 are rebuilt from the primary venue: highs and lows include pre-market and post-market trading and span a wider range, and volume covers one venue only.',
    '2024-07之前的数据由主要交易所重建：最高最低价包含盘前盘后交易，区间偏宽；成交量仅为单一交易所。',
    '2024-07之前的資料由主要交易所重建：最高最低價包含盤前盤後交易，區間偏寬；成交量僅為單一交易所。',
  ),
  'backtest.incomplete_history': text(
    'Sessions in the range that were not loaded at the time of the computation: {count}. The result omits them.',
    '计算时该区间内有{count}个交易日尚未加载，结果不包含这些交易日。',
    '計算時此區間內有{count}個交易日尚未載入，結果不包含這些交易日。',
  ),
  'backtest.missing_bars': text(
    'Loaded sessions between the first and the last bar in which the instrument has no bar: {count}.',
    '在首尾两根数据之间，该标的有{count}个已加载的交易日没有数据。',
    '在首尾兩筆資料之間，此標的有{count}個已載入的交易日沒有資料。',
  ),
  'backtest.cut_by_plan': text(
    'The lists of this result are longer than the plan allows in one answer and are cut off. The figures cover everything.',
    '此结果的明细超过套餐单次返回的上限，已提前截断。各项指标仍按全部数据计算。',
    '此結果的明細超過方案單次回傳的上限，已提前截斷。各項指標仍依全部資料計算。',
  ),
  'backtest.survivorship': text(
    'Hardly any of the instruments is delisted. A list of survivors makes the result look better than it is.',
    '列表中几乎没有已退市的标的。只包含存续标的的列表会使结果偏乐观。',
    '清單中幾乎沒有已下市的標的。只包含存續標的的清單會使結果偏樂觀。',
  ),
  'backtest.survivorship_numbers': text(
    '{ended} ended in {instrument_years} instrument-years; of US listings, 4 to 6% end a year.',
    '{instrument_years}个标的年中有{ended}个退市；美国上市标的每年约4%至6%退市。',
    '{instrument_years}個標的年中有{ended}個下市；美國上市標的每年約4%至6%下市。',
  ),
  'backtest.point_in_time': text(
    'The instruments were found by a screen as of the last session before the range.',
    '标的由区间开始前最后一个交易日的筛选结果确定。',
    '標的由區間開始前最後一個交易日的篩選結果決定。',
  ),
  'backtest.price_return': text(
    'Dividends were paid in the range and are not part of the result. Use adjust=total for total return.',
    '区间内派发过股息，本结果未计入；如需总回报，请使用adjust=total。',
    '區間內配發過股利，本結果未計入；如需總報酬，請使用adjust=total。',
  ),
  'backtest.few_trades': text(
    'Fewer than 30 trades, or positions of a portfolio: figures per trade say little.',
    '交易（组合为头寸）少于30笔，按笔统计的指标参考价值有限。',
    '交易（組合為部位）少於30筆，逐筆統計的指標參考價值有限。',
  ),
  'backtest.short_track_record': text(
    'The range does not show a gain beyond the market.',
    '该区间未显示市场之外的收益。',
    '此區間未顯示市場之外的報酬。',
  ),
  'backtest.groups_as_of_today': text(
    'Asset types and venues are those of today, not of each session.',
    '资产类型与交易所按今天的数据分组，而非各交易日当时的数据。',
    '資產類型與交易所依今日的資料分組，而非各交易日當時的資料。',
  ),
  'backtest.volume_basis_changes': text(
    'The rules read volumes, and the range crosses 2024-07-01: earlier volumes are of the primary venue alone, so a threshold means two things.',
    '规则使用成交量，且区间跨越2024-07-01：此前的成交量仅来自主要交易所，同一阈值含义不同。',
    '規則使用成交量，且區間跨越2024-07-01：此前的成交量僅來自主要交易所，同一門檻含義不同。',
  ),
  'backtest.line_ended': text(
    'A held name had no bar for more than 20 sessions; it is valued at its last close.',
    '某个持仓超过20个交易日没有数据，按其最后收盘价估值。',
    '某個持倉超過20個交易日沒有資料，依其最後收盤價估值。',
  ),
  'backtest.filter_undefined': text(
    'An own column left the market filter undefined at some sessions: its last value counted until there was a new one.',
    '部分交易日的市场过滤条件因自有数据列缺值而未定义：沿用此前的最后结果，直到出现新值。',
    '部分交易日的市場過濾條件因自有資料欄缺值而未定義：沿用先前的最後結果，直到出現新值。',
  ),
  'backtest.weights_undefined': text(
    'At some rebalances the weights have no solution, as where members move alike; these are equal within the bounds.',
    '部分调仓日的权重无解（例如成分走势相同），已在上下限内改用等权。',
    '部分調倉日的權重無解（例如成分走勢相同），已在上下限內改用等權。',
  ),
  'backtest.exhausted': text(
    'The money that was taken out left nothing in the range.',
    '区间内资金已被取尽，无剩余资产。',
    '區間內資金已被提領完畢，無剩餘資產。',
  ),
  'backtest.figures_overflow': text(
    'The annualized return, null here, is too large for a number: the range is short for such a growth.',
    '年化收益率超出数值范围，记为null：区间过短而涨幅过大。',
    '年化報酬率超出數值範圍，記為null：區間過短而漲幅過大。',
  ),
  'backtest.levels_as_adjusted': text(
    'The rules read prices as levels, and the loaded prices are adjusted: a level of the past is not the one that was traded.',
    '规则以价格水平为条件，而所加载的价格已复权：过去的水平并非当时的成交价。',
    '規則以價格水準為條件，而所載入的價格已還原：過去的水準並非當時的成交價。',
  ),
  'backtest.data_suspect': text(
    'The data behind it are in doubt: {findings}.',
    '所依据的数据存疑：{findings}。',
    '所依據的資料存疑：{findings}。',
  ),
  ...FINDING_TEXTS,
  'backtest.prices_jump_at_split': text(
    'Prices are as traded and jump at splits in the range ({days}), as if that were earned or lost.',
    '价格未复权，区间内拆合股（{days}）时价格跳变，会被计为盈亏。',
    '價格未還原，區間內分割或合併（{days}）時價格跳變，會被計為盈虧。',
  ),
  'backtest.spin_off_counted_as_loss': text(
    'On {day}, {symbol} was held over a spin-off of {percent}% of its price, which counts as a loss here; `adjust: total` reinvests it.',
    '{day}持有{symbol}期间发生分拆，相当于股价的{percent}%，在此计为亏损；`adjust: total`会将其再投资。',
    '{day}持有{symbol}期間發生分拆，相當於股價的{percent}%，在此計為虧損；`adjust: total`會將其再投資。',
  ),
  'backtest.delisting_price': text(
    'Positions that a delisting ended are closed at the last close, because what holders got is not known (`delisting_return_pct`).',
    '因退市而结束的持仓按最后收盘价平仓，因为持有人所得未知（`delisting_return_pct`）。',
    '因下市而結束的持倉按最後收盤價平倉，因為持有人所得未知（`delisting_return_pct`）。',
  ),
  'backtest.delisting_price_points': text(
    'Of names that lost more than half in their last 20 sessions there were {failed}: with the usual -30% (NYSE; Shumway, 1997) or -55% (Nasdaq; Shumway and Warther, 1999) the return changes by {points} points.',
    '其中{failed}个标的在最后20个交易日内跌幅过半：若按通常的-30%（NYSE，Shumway 1997）或-55%（Nasdaq，Shumway与Warther 1999）计，收益率变动{points}个百分点。',
    '其中{failed}個標的在最後20個交易日內跌幅過半：若按通常的-30%（NYSE，Shumway 1997）或-55%（Nasdaq，Shumway與Warther 1999）計，報酬率變動{points}個百分點。',
  ),
  'backtest.capacity': text(
    'On {day}, an order of {order} in {symbol} was {share_pct}% of its usual dollar volume: so much can hardly be traded at these prices.',
    '{day}对{symbol}的订单金额为{order}，为其通常日成交额的{share_pct}%：如此数量很难按这些价格成交。',
    '{day}對{symbol}的委託金額為{order}，為其通常日成交額的{share_pct}%：如此數量很難按這些價格成交。',
  ),
  'backtest.capacity_untraded': text(
    'On {day}, an order of {order} in {symbol} came after days on which it was hardly traded at all: so much can hardly be traded at these prices.',
    '{day}对{symbol}的订单金额为{order}，而此前数日几乎没有成交：如此数量很难按这些价格成交。',
    '{day}對{symbol}的委託金額為{order}，而此前數日幾乎沒有成交：如此數量很難按這些價格成交。',
  ),
  'backtest.capacity_venue': text(
    'The volume of that day is that of one venue.',
    '当日成交量为单一交易所的成交量。',
    '當日成交量為單一交易所的成交量。',
  ),
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
