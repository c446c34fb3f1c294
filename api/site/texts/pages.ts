/** Titles and descriptions of pages. */
import type { SiteTexts } from './text.ts';

export const PAGE_TEXTS = {
  'site.name': { en: 'Market Data & Backtests', 'zh-CN': '行情与回测', 'zh-TW': '行情與回測' },
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
  'page.symbol': { en: 'Symbol', 'zh-CN': '证券', 'zh-TW': '證券' },
  'page.symbol.description': {
    en: 'Candles, volume, facts and history of an instrument.',
    'zh-CN': '证券的 K 线、成交量、基本信息与历史。',
    'zh-TW': '證券的 K 線、成交量、基本資料與歷史。',
  },
  'page.symbol.of': {
    en: '{symbol}: daily, weekly, and monthly candles of {name}, with splits, former tickers, and gaps.',
    'zh-CN': '{symbol}：{name} 的日、周、月 K 线，含拆股、曾用代码与数据缺口。',
    'zh-TW': '{symbol}：{name} 的日、週、月 K 線，含股票分割、曾用代號與資料缺口。',
  },
  'page.docs': { en: 'The API', 'zh-CN': 'API 文档', 'zh-TW': 'API 文件' },
  'page.docs.description': {
    en: 'Every operation of the API with its parameters, examples, and errors, ready to try.',
    'zh-CN': 'API 的全部操作，含参数、示例与错误，可在本页直接试用。',
    'zh-TW': 'API 的所有操作，含參數、範例與錯誤，可在本頁直接試用。',
  },
  'docs.lead': {
    en: 'Try every operation on this page. Programs and assistants can read the same in the OpenAPI description.',
    'zh-CN': '全部操作均可在本页直接试用。正文为英文；程序与智能助手可读取 OpenAPI 描述。',
    'zh-TW': '所有操作均可在本頁直接試用。內文為英文；程式與智慧助理可讀取 OpenAPI 描述。',
  },
  'page.clients': { en: 'Clients', 'zh-CN': '客户端', 'zh-TW': '用戶端' },
  'page.clients.description': {
    en: 'Typed clients for Python and TypeScript, and tools for assistants.',
    'zh-CN': 'Python 与 TypeScript 的类型化客户端，以及供智能助手使用的工具。',
    'zh-TW': 'Python 與 TypeScript 的型別化用戶端，以及供智慧助理使用的工具。',
  },
  'text_page.in_english': {
    en: 'This page is in English.',
    'zh-CN': '本页正文为英文。',
    'zh-TW': '本頁正文為英文。',
  },
  'page.not_found': { en: 'Page not found', 'zh-CN': '页面不存在', 'zh-TW': '找不到頁面' },
  'page.not_found.description': {
    en: 'The address may be mistyped, or the page may have been removed.',
    'zh-CN': '地址可能输入有误，或页面已被移除。',
    'zh-TW': '網址可能輸入有誤，或頁面已被移除。',
  },
} as const satisfies SiteTexts;
