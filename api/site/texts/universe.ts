/** Which instruments a page looks at. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const UNIVERSE_TEXTS = {
  universe: text('Universe', '范围', '範圍'),
  'universe.all': text('Every instrument', '所有证券', '所有證券'),
  'universe.stock': text('All stocks', '全部股票', '全部股票'),
  'universe.etf': text('All ETFs', '全部ETF', '全部ETF'),
  'universe.column': text('In my column', '在我的数据列中', '在我的資料欄中'),
  'universe.column.name': text('Column', '数据列', '資料欄'),
  'universe.column.label': text('Label', '标签', '標籤'),
  'universe.symbols': text('A list of symbols', '指定的证券列表', '指定的證券清單'),
  'universe.symbol': text('One instrument', '一只证券', '一檔證券'),
  'universe.given': text('As in this sweep', '与此回测相同', '與此回測相同'),
  'universe.screen': text('Results of a screen', '筛选结果', '篩選結果'),
  'universe.where': text('Screening condition', '须满足的规则', '須符合的規則'),
  'universe.where.hint': text(
    'It is evaluated at the last session before the range, so that no later price affects the selection.',
    '按区间开始前的最后一个交易日筛选，之后的价格不会影响选择。',
    '依區間開始前的最後一個交易日篩選，之後的價格不會影響選擇。',
  ),
  'universe.limit': text('At most', '最多', '最多'),
  'universe.stocks_etfs': text('Stocks and ETFs', '股票与ETF', '股票與ETF'),
  'universe.last': text('The last screen: {count|symbol|symbols}', '上次选股：{count}只', '上次選股：{count}檔'),
  'universe.largest': text('The largest stocks', '成交额最大的股票', '成交額最大的股票'),
  'universe.list': text('My list', '我的列表', '我的清單'),
  'universe.list.symbols': text('Symbols of my list', '我的列表中的代码', '我的清單中的代碼'),
  'universe.of': text('Universe: {universe}', '范围：{universe}', '範圍：{universe}'),
} as const satisfies Record<string, Text>;
