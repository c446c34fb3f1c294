/** Errors of market data. */
import type { ErrorCode } from '../../../engine/util/errors.ts';
import type { ErrorEntry } from './entry.ts';

export const MARKET_ERRORS = {
  intraday_not_provided: {
    status: 403,
    en: 'Intraday data is not provided: the service distributes end-of-day data only.',
    'zh-CN': '不提供盘中数据：本服务目前仅提供收盘数据。',
    'zh-TW': '不提供盤中資料：本服務目前僅提供收盤資料。',
  },
  invalid_adjust: {
    status: 400,
    en: '"{value}" is not a valid adjustment. Allowed: none, qfq, total.',
    'zh-CN': '“{value}”不是有效的复权方式，可选：none、qfq、total。',
    'zh-TW': '「{value}」不是有效的還原方式，可選：none、qfq、total。',
  },
  invalid_asset_type: {
    status: 400,
    en: '"{value}" is not a valid asset type. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的资产类别，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的資產類別，可選：{allowed}。',
  },
  invalid_interval: {
    status: 400,
    en: '"{value}" is not a valid interval. Allowed: 1m, 5m, 15m, 30m, 60m.',
    'zh-CN': '“{value}”不是有效的周期，可选：1m、5m、15m、30m、60m。',
    'zh-TW': '「{value}」不是有效的週期，可選：1m、5m、15m、30m、60m。',
  },
  invalid_market: {
    status: 400,
    en: '"{value}" is not a valid market. Allowed: US, HK, CN.',
    'zh-CN': '“{value}”不是有效的市场，可选：US、HK、CN。',
    'zh-TW': '「{value}」不是有效的市場，可選：US、HK、CN。',
  },
  invalid_period: {
    status: 400,
    en: '"{value}" is not a valid period. Allowed: day, week, month.',
    'zh-CN': '“{value}”不是有效的周期，可选：day、week、month。',
    'zh-TW': '「{value}」不是有效的週期，可選：day、week、month。',
  },
  invalid_symbol: {
    status: 400,
    en: '"{symbol}" is not a valid symbol. Expected a ticker such as AAPL or BRK.B, with or without .US.',
    'zh-CN': '“{symbol}”不是有效代码，应为AAPL或BRK.B之类的代码，可带.US后缀。',
    'zh-TW': '「{symbol}」不是有效代號，應為AAPL或BRK.B之類的代號，可帶.US後綴。',
  },
  market_not_open: {
    status: 400,
    en: 'The market {market} is planned but not open yet. Open: US.',
    'zh-CN': '市场{market}已列入计划但尚未开放，目前开放：US。',
    'zh-TW': '市場{market}已列入計畫但尚未開放，目前開放：US。',
  },
  no_quote: {
    status: 404,
    en: '{symbol} has no quote: no consolidated daily bar is available.',
    'zh-CN': '{symbol}没有报价：尚无全市场日线数据。',
    'zh-TW': '{symbol}沒有報價：尚無全市場日線資料。',
  },
  session_not_distributable: {
    status: 400,
    en: 'Data for {date} cannot be distributed yet. The latest available session is {latest}.',
    'zh-CN': '{date}的数据尚不可提供，最近可用交易日为{latest}。',
    'zh-TW': '{date}的資料尚不可提供，最近可用交易日為{latest}。',
  },
  symbol_not_found: {
    status: 404,
    en: 'Unknown symbol: {symbol}.',
    'zh-CN': '代码{symbol}不存在。',
    'zh-TW': '代號{symbol}不存在。',
  },
  too_many_symbols: {
    status: 400,
    en: 'The plan {plan} allows {max} symbols in one batch, and the request has {count}.',
    'zh-CN': '“{plan}”套餐单次批量最多允许{max}个代码，本次请求有{count}个。',
    'zh-TW': '「{plan}」方案單次批次最多允許{max}個代號，本次請求有{count}個。',
  },
  upstream_unavailable: {
    status: 502,
    en: 'The data provider is temporarily unavailable. The service does not serve stale data instead.',
    'zh-CN': '上游数据源暂时不可用，本服务不会以过期数据代替。',
    'zh-TW': '上游資料來源暫時無法使用，本服務不會以過期資料代替。',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorEntry>>;
