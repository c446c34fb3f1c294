/** Sentences of the records of suites and peers, which are written in English. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Locale, Text } from '../../http/language/locale.ts';

/** Sentences on what peers do otherwise, which the records have in English. */
const PEER_SENTENCES: readonly Text[] = [
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

const SENTENCES: readonly Text[] = [
  text(
    'Every indicator and window function of rules, and formulas of them, on each bar of 10 series of the sample market over 2 years',
    '规则语言的全部指标与窗口函数及由其组成的公式：示例市场10个序列、两年内的每根K线',
    '規則語言的所有指標與視窗函式及由其組成的公式：範例市場10個序列、兩年內的每根K線',
  ),
  text(
    'TA-Lib leaves out the line of the MACD until its signal has a figure; ours begins with the slow mean, as the table of indicators in RULES.md says.',
    'TA-Lib在信号线有值之前不给出MACD线；本服务自慢速均线起即有值，见RULES.md的指标表。',
    'TA-Lib在訊號線有值之前不給出MACD線；本服務自慢速均線起即有值，見RULES.md的指標表。',
  ),
  text(
    'TA-Lib seeds the fast mean of the MACD at the bar of the slow one; ours is the difference of two columns `ema`, so they differ until the seed is forgotten (RULES.md, "Seeds").',
    'TA-Lib在慢速均线的起点初始化MACD的快速均线；本服务取两列`ema`之差，因此在初值被遗忘之前不同（RULES.md，“Seeds”）。',
    'TA-Lib在慢速均線的起點初始化MACD的快速均線；本服務取兩欄`ema`之差，因此在初值被遺忘之前不同（RULES.md，「Seeds」）。',
  ),
  text(
    'The balance of power of a bar without a range is 0 for TA-Lib; in rules a division by 0 is undefined (RULES.md, "Values").',
    '没有波幅的K线，TA-Lib的均势指标为0；在规则中除以0没有值（RULES.md，“Values”）。',
    '沒有波幅的K線，TA-Lib的均勢指標為0；在規則中除以0沒有值（RULES.md，「Values」）。',
  ),
  text(
    'The figures that its tests expect, over the 252 bars that come with them',
    '其测试所期望的数值，基于随附的252根K线',
    '其測試所期望的數值，基於隨附的252根K線',
  ),
  text(
    'TA-Lib seeds the fast mean of the MACD at the bar of the slow one (RULES.md, "Seeds").',
    'TA-Lib在慢速均线的起点初始化MACD的快速均线（RULES.md，“Seeds”）。',
    'TA-Lib在慢速均線的起點初始化MACD的快速均線（RULES.md，「Seeds」）。',
  ),
  text(
    'Some figures are cut off and not rounded; the tests of TA-Lib take what is within 0.01.',
    '部分数值是截断而非四舍五入的；TA-Lib的测试接受0.01以内的差异。',
    '部分數值是截斷而非四捨五入的；TA-Lib的測試接受0.01以內的差異。',
  ),
  text(
    'Indicators of its test data `spy_*`, each value of up to 362 bars',
    '其测试数据`spy_*`中的指标，至多362根K线的每个数值',
    '其測試資料`spy_*`中的指標，至多362根K線的每個數值',
  ),
  text(
    'LEAN takes the high less the low of the first bar as its true range, so its ATR has a figure a bar earlier (RULES.md, "Seeds").',
    'LEAN以首根K线的最高价减最低价为其真实波幅，因此其ATR早一根有值（RULES.md，“Seeds”）。',
    'LEAN以首根K線的最高價減最低價為其真實區間，因此其ATR早一根有值（RULES.md，「Seeds」）。',
  ),
  text(
    'LEAN seeds the ATR with that range of the first bar, ours with the first true range (RULES.md, "Seeds").',
    'LEAN以首根K线的波幅初始化ATR，本服务以首个真实波幅（RULES.md，“Seeds”）。',
    'LEAN以首根K線的波幅初始化ATR，本服務以首個真實區間（RULES.md，「Seeds」）。',
  ),
  text(
    'The figures of these files were computed in single precision, of which the seven digits published are the last.',
    '这些文件中的数值以单精度计算，公布的七位数字即其全部精度。',
    '這些檔案中的數值以單精度計算，公布的七位數字即其全部精度。',
  ),
  text(
    'Trades, equity, and statistics of crossovers and Donchian channels, filled at the close and at the next open, with and without commission; so much money that its whole shares are as good as fractions',
    '均线交叉与唐奇安通道的交易、净值与统计，以收盘价和次日开盘价成交，含与不含佣金；资金足够多，整股与碎股无异',
    '均線交叉與唐奇安通道的交易、淨值與統計，以收盤價和次日開盤價成交，含與不含手續費；資金足夠多，整股與碎股無異',
  ),
  text(
    'A position that is open at the end is sold by theirs at the open of the last bar, by ours at its close (ops/docs/FIGURES.md).',
    '结束时仍持有的仓位，对方在最后一根K线的开盘价卖出，本服务在其收盘价卖出（ops/docs/FIGURES.md）。',
    '結束時仍持有的部位，對方在最後一根K線的開盤價賣出，本服務在其收盤價賣出（ops/docs/FIGURES.md）。',
  ),
  text(
    'Equity, sales, and statistics of portfolios that the end of each week, month, or quarter brings back to equal weights, part of them in cash',
    '每周、每月或每季末恢复等权、部分持有现金的组合：净值、卖出与统计',
    '每週、每月或每季末恢復等權、部分持有現金的組合：淨值、賣出與統計',
  ),
  text(
    'Returns, largest drawdowns, volatility, Sharpe, Sortino, and Calmar ratios, and equity of backtests; annual returns over calendar days',
    '回测的收益、最大回撤、波动率、夏普、索提诺与卡玛比率及净值；年化收益按日历日计',
    '回測的報酬、最大回撤、波動率、夏普、索提諾與卡瑪比率及淨值；年化報酬依日曆日計',
  ),
  text(
    'Returns, ratios, moments, and drawdowns of backtests, and their trades as round trips of their fills',
    '回测的收益、比率、矩与回撤，及由成交配对的往返交易',
    '回測的報酬、比率、動差與回撤，及由成交配對的往返交易',
  ),
  text(
    'Returns, ratios, moments, and trades of backtests; skewness and kurtosis brought from a sample to the population',
    '回测的收益、比率、矩与交易；偏度与峰度由样本换算为总体',
    '回測的報酬、比率、動差與交易；偏度與峰度由樣本換算為母體',
  ),
  text(
    'Theirs takes skewness and kurtosis that are corrected for the bias of a sample, ours those of the returns as they are (ops/docs/FIGURES.md).',
    '对方的偏度与峰度经样本偏差修正，本服务取收益本身的值（ops/docs/FIGURES.md）。',
    '對方的偏度與峰度經樣本偏差修正，本服務取報酬本身的值（ops/docs/FIGURES.md）。',
  ),
  text(
    'Returns, ratios, moments, and drawdowns of the equity of backtests',
    '回测净值的收益、比率、矩与回撤',
    '回測淨值的報酬、比率、動差與回撤',
  ),
  text(
    'Figures and regressions of tear sheets; those against the benchmark are brought to a year',
    '业绩报告的指标与回归，与基准之比为年度值',
    '績效報告的指標與迴歸，與基準之比為年度值',
  ),
  text(
    'Splits of cross-validation, bar by bar; models of StepM, studentized before; adjusted p-values',
    '交叉验证的划分；标准化的StepM；校正的p值',
    '交叉驗證的劃分；標準化的StepM；校正的p值',
  ),
  text(
    'The probability of backtest overfitting of searches over 12 combinations and two years, the ranks behind it, and the slope of the loss of performance',
    '12组参数、两年搜索的回测过拟合概率，其依据的排名，以及业绩衰减的斜率',
    '12組參數、兩年搜尋的回測過度擬合機率，其依據的排名，以及績效衰減的斜率',
  ),
  text(
    'Covariances of 126 returns of 12 instruments, of the sample and shrunk by Ledoit and Wolf, and the weights of rotations by five methods, with bounds; solvers of both sides stop within 1e-6',
    '12个标的126个收益的样本协方差与Ledoit–Wolf收缩协方差，及有界的五种轮动权重；双方求解器精度为1e-6',
    '12個標的126個報酬的樣本共變異數與Ledoit–Wolf收縮共變異數，及有界的五種輪動權重；雙方求解器精度為1e-6',
  ),
  text(
    'Studies of factors of 20 instruments over 3 years, by the day and by the week, with ties, and beside the mean of a group: coefficients and spreads session by session, returns of quantiles, turnover, and t of returns that overlap',
    '20个标的三年的因子研究，按日与按周，含并列值，及相对组均值：逐日的信息系数与价差、分位收益、换手率、重叠收益的t值',
    '20個標的三年的因子研究，按日與按週，含並列值，及相對組均值：逐日的資訊係數與價差、分位報酬、換手率、重疊報酬的t值',
  ),
  text(
    'Where equal values lie across an edge of quantiles, alphalens puts all of them below it, or leaves the session out; ours are put where their mean rank is.',
    '并列值跨越分位边界时，alphalens将其全部归入边界之下，或略去该日；本服务按其平均排名归位。',
    '並列值跨越分位邊界時，alphalens將其全部歸入邊界之下，或略去該日；本服務依其平均排名歸位。',
  ),
  text(
    'Growth, drawdowns, deviations, Sharpe and Sortino ratios of short series of returns, each to the decimals of its test',
    '短收益序列的增长、回撤、偏差、夏普与索提诺比率，各按其测试的小数位',
    '短報酬序列的成長、回撤、偏差、夏普與索提諾比率，各依其測試的小數位',
  ),
  text(
    'Growth, drawdowns, deviations, moments, and ratios of the monthly returns of its managers and of its portfolio of Bacon, each to the decimals that were printed; a year has 12 of them',
    '其基金经理与Bacon组合月度收益的增长、回撤、偏差、矩与比率，各按所印的小数位；一年计12个月',
    '其基金經理與Bacon組合月度報酬的成長、回撤、偏差、動差與比率，各依所印的小數位；一年計12個月',
  ),
  text(
    'What runs earned beyond holding: slope, alpha and its t, appraisal, probabilities, the test with the slope known before each bar, and intervals over the same resampled indices; reality checks of searches, those that lose to holding included',
    '运行在持有之外的收益：斜率、阿尔法及其t值、评估比率、概率、仅用事前已知斜率的检验，及相同重抽样下的区间；搜索的现实检验，包括不如持有者',
    '執行在持有之外的報酬：斜率、阿爾法及其t值、評估比率、機率、僅用事前已知斜率的檢定，及相同重抽樣下的區間；搜尋的現實檢定，包括不如持有者',
  ),
  text(
    'Mean block lengths of returns, intervals of bootstraps, and p-values of the reality check over the same resampled indices; the differences of returns are studentized before SPA of arch, which does not, compares their means',
    '收益的平均块长、自助法区间，及在相同重抽样下现实检验的p值；由于arch的SPA不作学生化而比较均值，收益之差事先学生化',
    '報酬的平均區塊長、自助法區間，及在相同重抽樣下現實檢驗的p值；由於arch的SPA不作學生化而比較均值，報酬之差事先學生化',
  ),
  text(
    'The normal distribution function, its logarithm (which shows the digits of small tails), and its inverse; mean, deviation, skewness, and kurtosis of the returns of backtests, annualized with 252 bars',
    '正态分布函数、其对数（可见极小尾部的数字）与反函数；回测收益的均值、偏差、偏度与峰度，按252根年化',
    '常態分布函數、其對數（可見極小尾部的數字）與反函數；回測報酬的平均、偏差、偏度與峰度，依252根年化',
  ),
  text(
    'Probabilistic and deflated Sharpe ratios, the expected maximum of trials, minimum lengths of track records and backtests, and the draws of every bootstrap',
    '概率夏普比率与缩减夏普比率、多次尝试的期望最大值、业绩与回测的最短长度，及每次自助抽样',
    '機率夏普比率與縮減夏普比率、多次嘗試的期望最大值、績效與回測的最短長度，及每次自助抽樣',
  ),
  text(
    'Annualized volatilities of 63 log returns, and weights of portfolios of equal parts and of inverse volatility',
    '63个对数收益的年化波动率，及等权与波动率倒数加权组合的权重',
    '63個對數報酬的年化波動率，及等權與波動率倒數加權組合的權重',
  ),
  text(
    'Weekly and monthly bars of five years of daily ones: last session, open, high, low, close, and volume',
    '五年日线的周线与月线：最后交易日、开、高、低、收与成交量',
    '五年日線的週線與月線：最後交易日、開、高、低、收與成交量',
  ),
  text(
    'SQL over bars as they were traded: bars adjusted for splits and for total return, weeks and months, and 16 fields of the screener at each end of a month',
    '以SQL由原始K线计算：拆股与总回报复权、周线与月线，及每个月末选股器的16个字段',
    '以SQL由原始K線計算：分割與總報酬還原、週線與月線，及每個月末選股器的16個欄位',
  ),
  text(
    'Closes and volumes of the 120 sessions before the first open of each month, adjusted by the rows of splits and dividends that zipline writes and reads',
    '每月首次开盘前120个交易日的收盘价与成交量，按zipline写入并读出的拆股与分红行复权',
    '每月首次開盤前120個交易日的收盤價與成交量，依zipline寫入並讀出的分割與配息列還原',
  ),
  text(
    'Sessions and half days of the NYSE from 1990 to 2027, a list of days a year',
    '1990至2027年纽约证券交易所的交易日与半日市，每年一份日期清单',
    '1990至2027年紐約證券交易所的交易日與半日市，每年一份日期清單',
  ),
  text(
    'Christmas Eve of 1990 and 1991, and two days of 1992, closed at 14:00; a half day of ours closes at 13:00, since 1993 (GLOSSARY.md, "half day").',
    '1990与1991年的圣诞夜及1992年的两天于14:00收市；本服务的半日市指1993年起于13:00收市的交易日（GLOSSARY.md，“half day”）。',
    '1990與1991年的耶誕夜及1992年的兩天於14:00收市；本服務的半日市指1993年起於13:00收市的交易日（GLOSSARY.md，「half day」）。',
  ),
  text(
    'Four sessions that a storm, a fall of the market, or a fault cut short (11 February 1994, 8 January 1996, 27 October 1997, 1 June 2005) are early closes there; a half day of ours is one that was announced (GLOSSARY.md, "half day").',
    '四个因风暴、大跌或故障而提前结束的交易日（1994年2月11日、1996年1月8日、1997年10月27日、2005年6月1日）在对方算作提前收市；本服务的半日市须事先公布（GLOSSARY.md，“half day”）。',
    '四個因風暴、大跌或故障而提前結束的交易日（1994年2月11日、1996年1月8日、1997年10月27日、2005年6月1日）在對方算作提前收市；本服務的半日市須事先公布（GLOSSARY.md，「half day」）。',
  ),
  text(
    'pandas-market-calendars lacks the half day of 31 December 1999, which the exchange announced, and which exchange-calendars has.',
    'pandas-market-calendars缺1999年12月31日的半日市，该日由交易所公布，exchange-calendars亦有。',
    'pandas-market-calendars缺1999年12月31日的半日市，該日由交易所公布，exchange-calendars亦有。',
  ),
  ...PEER_SENTENCES,
];
const BY_ENGLISH = new Map(SENTENCES.map((sentence) => [sentence.en, sentence]));

/** Returns a sentence in a language; one without a translation stays English. */
export function truthSentence(sentence: string, locale: Locale): string {
  return BY_ENGLISH.get(sentence)?.[locale] ?? sentence;
}
