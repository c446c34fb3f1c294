/** Sentences of the records about what peers do otherwise, which are written in English. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const PEER_SENTENCES: readonly Text[] = [
  text(
    'Its first decision is at the second bar, and it fills orders on a following bar: its bars begin and end with a flat one. It trades whole units: a unit is a hundred-millionth of a share. Its time is Python for each bar, and statistics in pandas for each run.',
    '它在第二根K线才首次决策，并在其后的K线成交，因此其K线首尾各加一根平线。它只交易整数单位：一个单位为一亿分之一股。耗时为Python逐根K线的计算，以及每次回测在pandas中的统计。',
    '它在第二根K線才首次決策，並在其後的K線成交，因此其K線首尾各加一根平線。它只交易整數單位：一個單位為一億分之一股。耗時為Python逐根K線的計算，以及每次回測在pandas中的統計。',
  ),
  text(
    'Fills at the next open are signals a bar later, and what is held at the end is sold at the last close. All runs of a sweep are columns of one simulation, whose return, Sharpe ratio, drawdown, trades, and win rate are computed; ours computes all 18 figures of a run. Its time for one run is pandas around the kernels.',
    '次日开盘价成交即信号晚一根K线，期末持仓按最后的收盘价卖出。参数扫描的所有回测是同一次模拟的各列，计算收益、夏普比率、回撤、交易与胜率；本服务计算每次回测的全部18个数值。单次回测的耗时是内核之外的pandas。',
    '次日開盤價成交即訊號晚一根K線，期末持倉依最後的收盤價賣出。參數掃描的所有回測是同一次模擬的各欄，計算報酬、夏普比率、回撤、交易與勝率；本服務計算每次回測的全部18個數值。單次回測的耗時是核心之外的pandas。',
  ),
  text(
    'It fills at the prices that it is given, the closes, and holds parts of shares. Its time is Python for each day, and statistics in pandas for each run.',
    '它按给定的价格（收盘价）成交，可持有不足一股。耗时为Python逐日的计算，以及每次回测在pandas中的统计。',
    '它依給定的價格（收盤價）成交，可持有不足一股。耗時為Python逐日的計算，以及每次回測在pandas中的統計。',
  ),
  text(
    'It fills a market order at the last close. Money, sizes, and prices have nine decimals, and bars so much volume that an order takes one price. Its time is that of messages between its parts, four prices for each bar, as in live trading.',
    '市价单按最近的收盘价成交。金额、数量与价格保留九位小数，K线成交量足够大，每单只有一个价格。耗时为其各部件之间的消息传递，每根K线四个价格，与实盘相同。',
    '市價單依最近的收盤價成交。金額、數量與價格保留九位小數，K線成交量足夠大，每單只有一個價格。耗時為其各部件之間的訊息傳遞，每根K線四個價格，與實盤相同。',
  ),
  text(
    'It fills orders on the next session at prices of its slippage model, here the open; it has no fills at the close of the signal. It keeps prices as thousandths, so both sides get them rounded. Its time is Python for each session, whose metrics it computes again over all sessions before.',
    '它在下一交易日按其滑点模型的价格（此处为开盘价）成交，不能按信号当日的收盘价成交。它的价格精确到千分之一，因此两边都使用取整后的价格。耗时为Python逐日的计算，每日都对此前所有交易日重新计算指标。',
    '它在下一交易日依其滑價模型的價格（此處為開盤價）成交，不能依訊號當日的收盤價成交。它的價格精確到千分之一，因此兩邊都使用取整後的價格。耗時為Python逐日的計算，每日都對此前所有交易日重新計算指標。',
  ),
  text(
    'It holds whole shares: what the cash does not pay for stays cash.',
    '它只持有整股：现金买不满一股的部分仍为现金。',
    '它只持有整股：現金買不滿一股的部分仍為現金。',
  ),
];
