/** The first page. */
import type { Text } from '../../http/language/locale.ts';

export const HOME_TEXTS = {
  'page.home': {
    en: 'Daily US stock data, reproducible backtests, and a screener',
    'zh-CN': '美股日线、可重复的回测与选股',
    'zh-TW': '美股日線、可重現的回測與選股',
  },
  'page.home.description': {
    en: 'Explore daily data of US stocks and ETFs, run backtests that anyone can reproduce, and screen the whole market.',
    'zh-CN': '查看美股与 ETF 的日线数据，进行任何人都能重复的策略回测，并筛选整个市场。',
    'zh-TW': '查看美股與 ETF 的日線資料，進行任何人都能重現的策略回測，並篩選整個市場。',
  },
  'home.title': {
    en: 'Daily US stock data, and backtests that anyone can reproduce',
    'zh-CN': '美股日线，以及任何人都能重复的回测',
    'zh-TW': '美股日線，以及任何人都能重現的回測',
  },
  'home.lead': {
    en: 'See the candles of stocks and ETFs, including delisted and renamed ones. Backtest strategies and portfolios with every trade, and learn how much of a result may be luck. Screen the whole market. Do all of it through the API, too.',
    'zh-CN':
      '股票与 ETF 的 K 线，包括已退市和更名的证券。策略与组合回测，每笔交易一目了然，并说明结果出于运气的可能性。覆盖整个市场的选股器。API 可获取相同内容。',
    'zh-TW':
      '股票與 ETF 的 K 線，包含已下市與更名的證券。策略與投資組合回測，每筆交易一目了然，並說明結果出於運氣的可能性。涵蓋整個市場的選股器。API 可取得相同內容。',
  },
  'home.market': { en: 'Loaded data', 'zh-CN': '当前市场数据', 'zh-TW': '目前市場資料' },
  'home.as_of': { en: 'Newest session', 'zh-CN': '最新交易日', 'zh-TW': '最新交易日' },
  'home.symbols': { en: 'Symbols', 'zh-CN': '证券数', 'zh-TW': '證券數' },
  'home.delisted': { en: 'Of these delisted', 'zh-CN': '其中已退市', 'zh-TW': '其中已下市' },
  'home.bars': { en: 'Daily bars', 'zh-CN': '日线条数', 'zh-TW': '日線筆數' },
  'home.since': { en: 'Since', 'zh-CN': '起始日期', 'zh-TW': '起始日期' },
  'home.synthetic': {
    en: 'This is the sample market: instruments and prices are invented.',
    'zh-CN': '这是示例市场：证券与价格均为虚构。',
    'zh-TW': '這是範例市場：證券與價格均為虛構。',
  },
  'home.examples': { en: 'Three things to try', 'zh-CN': '三个示例', 'zh-TW': '三個範例' },
  'home.example.chart': { en: 'See {symbol}', 'zh-CN': '查看 {symbol}', 'zh-TW': '查看 {symbol}' },
  'home.example.chart.text': {
    en: '{name}, as candles with its splits and gaps.',
    'zh-CN': '{name} 的 K 线，含拆股与缺口。',
    'zh-TW': '{name} 的 K 線，含股票分割與缺口。',
  },
  'home.example.backtest': {
    en: 'Test a moving-average cross on {symbol}',
    'zh-CN': '在 {symbol} 上测试均线交叉策略',
    'zh-TW': '在 {symbol} 上測試均線交叉策略',
  },
  'home.example.backtest.text': {
    en: 'Every trade of three years, against holding.',
    'zh-CN': '三年内的每笔交易，并与买入持有比较。',
    'zh-TW': '三年內的每筆交易，並與買進持有比較。',
  },
  'home.example.screen': {
    en: 'Find stocks near their highs',
    'zh-CN': '寻找接近新高的股票',
    'zh-TW': '尋找接近新高的股票',
  },
  'home.example.screen.text': {
    en: 'The whole market in one screen; it needs a free account.',
    'zh-CN': '一次筛选整个市场，需要免费账户。',
    'zh-TW': '一次篩選整個市場，需要免費帳戶。',
  },
  'home.truth': {
    en: 'Judged by others: our figures beside those of TA-Lib, LEAN, DuckDB, and more',
    'zh-CN': '由他人检验：本服务的数值与 TA-Lib、LEAN、DuckDB 等程序对照',
    'zh-TW': '由他人檢驗：本服務的數值與 TA-Lib、LEAN、DuckDB 等程式對照',
  },
  'home.programs': { en: 'For programs', 'zh-CN': '面向程序', 'zh-TW': '供程式使用' },
  'home.programs.text': {
    en: 'Everything on these pages comes from the public API.',
    'zh-CN': '这些页面上的全部内容都来自公开的 API。',
    'zh-TW': '這些頁面上的所有內容都來自公開的 API。',
  },
  'home.programs.docs': { en: 'API documentation', 'zh-CN': 'API 文档', 'zh-TW': 'API 文件' },
  'home.programs.clients': {
    en: 'Clients for Python, TypeScript, and assistants',
    'zh-CN': 'Python、TypeScript 客户端与智能助手',
    'zh-TW': 'Python、TypeScript 用戶端與智慧助理',
  },
  'home.programs.openapi': { en: 'OpenAPI description', 'zh-CN': 'OpenAPI 描述', 'zh-TW': 'OpenAPI 描述' },
  'home.nothing_loaded': {
    en: 'Nothing is loaded yet. The first sessions appear here within a minute.',
    'zh-CN': '尚未加载数据，首批交易日将在一分钟内出现。',
    'zh-TW': '尚未載入資料，首批交易日將於一分鐘內出現。',
  },
} as const satisfies Record<string, Text>;
