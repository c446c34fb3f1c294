/** The notes of runs, in the three languages. `{name}` is replaced by a detail. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from './locale.ts';

export const NOTE_TEXTS = {
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
  'backtest.factor_undefined': text(
    'A factor has no value at any session: its figures are null.',
    '某个因子在所有交易日均无值，其统计量为空。',
    '某個因子在所有交易日均無值，其統計量為空。',
  ),
  'backtest.weights_undefined': text(
    'At some rebalances the weights have no solution, as where members move alike; these are equal within the bounds.',
    '部分调仓日的权重无解（例如成分走势相同），已在上下限内改用等权。',
    '部分調倉日的權重無解（例如成分走勢相同），已在上下限內改用等權。',
  ),
  'backtest.risk_free_gaps': text(
    'Nights without a risk-free rate, which count as 0: {count}.',
    '无风险利率缺失、按0计算的夜晚：{count}个。',
    '無風險利率缺漏、以0計算的夜晚：{count}個。',
  ),
  'backtest.cash_rate_gaps': text(
    'Nights without a rate of cash, on which it earned nothing: {count}.',
    '现金利率缺失、未计利息的夜晚：{count}个。',
    '現金利率缺漏、未計利息的夜晚：{count}個。',
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
} as const satisfies Record<string, Text>;
