/** Every text that the API shows, in its three languages. `{name}` is filled in from the details of the occasion. */
import type { ErrorCode } from '../engine/errors.ts';
import type { Locale } from './locale.ts';

type Text = Readonly<Record<Locale, string>>;

export const ERROR_TEXTS = {
  account_inactive: {
    en: 'This account is not active.',
    'zh-CN': '该账户未处于可用状态。',
    'zh-TW': '此帳戶目前無法使用。',
  },
  admin_required: {
    en: 'Only administrators may do this.',
    'zh-CN': '仅管理员可执行此操作。',
    'zh-TW': '僅管理員可執行此操作。',
  },
  api_keys_max: {
    en: 'The plan "{plan}" allows {max} API keys, disabled ones included.',
    'zh-CN': '“{plan}”套餐最多允许 {max} 个 API 密钥（含已停用的密钥）。',
    'zh-TW': '「{plan}」方案最多允許 {max} 個 API 金鑰（含已停用的金鑰）。',
  },
  body_not_json: {
    en: 'The request body is not valid JSON.',
    'zh-CN': '请求体不是有效的 JSON。',
    'zh-TW': '請求內容不是有效的 JSON。',
  },
  body_too_large: {
    en: 'The request body is larger than 1 MiB.',
    'zh-CN': '请求体超过 1 MiB。',
    'zh-TW': '請求內容超過 1 MiB。',
  },
  code_invalid: {
    en: 'The code is wrong, was used before or has expired. Please request a new one.',
    'zh-CN': '验证码错误、已使用或已过期，请重新获取。',
    'zh-TW': '驗證碼錯誤、已使用或已過期，請重新取得。',
  },
  database_unavailable: {
    en: 'The database cannot be reached at the moment. Please try again shortly.',
    'zh-CN': '数据库暂时无法访问，请稍后重试。',
    'zh-TW': '資料庫暫時無法存取，請稍後再試。',
  },
  email_mismatch: {
    en: 'The e-mail is not the one of this account.',
    'zh-CN': '邮箱与当前账户不一致。',
    'zh-TW': '電子郵件與目前帳戶不符。',
  },
  internal: { en: 'Internal server error.', 'zh-CN': '服务器内部错误。', 'zh-TW': '伺服器內部錯誤。' },
  intraday_not_provided: {
    en: 'Intraday data is not provided: the service distributes end-of-day data only.',
    'zh-CN': '不提供盘中数据：本服务目前仅提供收盘数据。',
    'zh-TW': '不提供盤中資料：本服務目前僅提供收盤資料。',
  },
  invalid_adjust: {
    en: '"{value}" is not an adjustment. Allowed: none, qfq.',
    'zh-CN': '“{value}”不是有效的复权方式，可选：none、qfq。',
    'zh-TW': '「{value}」不是有效的還原方式，可選：none、qfq。',
  },
  invalid_credential: {
    en: 'The API key or token is invalid or has expired.',
    'zh-CN': 'API 密钥或令牌无效或已过期。',
    'zh-TW': 'API 金鑰或權杖無效或已過期。',
  },
  invalid_date: {
    en: '"{value}" is not a date. Expected YYYY-MM-DD.',
    'zh-CN': '“{value}”不是有效日期，格式应为 YYYY-MM-DD。',
    'zh-TW': '「{value}」不是有效日期，格式應為 YYYY-MM-DD。',
  },
  invalid_date_range: {
    en: 'The start date {start} is after the end date {end}.',
    'zh-CN': '开始日期 {start} 晚于结束日期 {end}。',
    'zh-TW': '開始日期 {start} 晚於結束日期 {end}。',
  },
  invalid_interval: {
    en: '"{value}" is not an interval. Allowed: 1m, 5m, 15m, 30m, 60m.',
    'zh-CN': '“{value}”不是有效的周期，可选：1m、5m、15m、30m、60m。',
    'zh-TW': '「{value}」不是有效的週期，可選：1m、5m、15m、30m、60m。',
  },
  invalid_market: {
    en: '"{value}" is not a market. Allowed: US, HK, CN.',
    'zh-CN': '“{value}”不是有效的市场，可选：US、HK、CN。',
    'zh-TW': '「{value}」不是有效的市場，可選：US、HK、CN。',
  },
  invalid_period: {
    en: '"{value}" is not a period. Allowed: day, week, month.',
    'zh-CN': '“{value}”不是有效的周期，可选：day、week、month。',
    'zh-TW': '「{value}」不是有效的週期，可選：day、week、month。',
  },
  invalid_request: {
    en: 'The request cannot be understood.',
    'zh-CN': '无法理解该请求。',
    'zh-TW': '無法理解此請求。',
  },
  invalid_symbol: {
    en: '"{symbol}" is not a symbol. Expected a ticker such as AAPL or BRK.B, with or without .US.',
    'zh-CN': '“{symbol}”不是有效代码，应为 AAPL 或 BRK.B 之类的代码，可带 .US 后缀。',
    'zh-TW': '「{symbol}」不是有效代號，應為 AAPL 或 BRK.B 之類的代號，可帶 .US 後綴。',
  },
  last_admin: {
    en: 'The last active administrator cannot be demoted, disabled or deleted.',
    'zh-CN': '不能降级、停用或删除最后一名可用的管理员。',
    'zh-TW': '無法降級、停用或刪除最後一位可用的管理員。',
  },
  login_failed: {
    en: 'Login name or password incorrect.',
    'zh-CN': '登录名或密码错误。',
    'zh-TW': '登入名稱或密碼錯誤。',
  },
  login_required: {
    en: 'Please sign in: this needs an access token, or an API key where the documentation allows one.',
    'zh-CN': '请先登录：此操作需要访问令牌，或在文档允许处使用 API 密钥。',
    'zh-TW': '請先登入：此操作需要存取權杖，或在文件允許處使用 API 金鑰。',
  },
  market_not_open: {
    en: 'The market {market} is planned but not open yet. Open: US.',
    'zh-CN': '市场 {market} 已列入计划但尚未开放，目前开放：US。',
    'zh-TW': '市場 {market} 已列入計畫但尚未開放，目前開放：US。',
  },
  method_not_allowed: {
    en: 'The method {method} is not allowed here. Allowed: {allowed}.',
    'zh-CN': '此处不允许使用方法 {method}，可用：{allowed}。',
    'zh-TW': '此處不允許使用方法 {method}，可用：{allowed}。',
  },
  no_quote: {
    en: 'There is no quote for {symbol}: no consolidated daily bar is available.',
    'zh-CN': '{symbol} 没有报价：尚无全市场日线数据。',
    'zh-TW': '{symbol} 沒有報價：尚無全市場日線資料。',
  },
  not_found: { en: 'Not found.', 'zh-CN': '未找到。', 'zh-TW': '找不到。' },
  plan_capability: {
    en: 'The plan "{plan}" does not include this capability ({category}).',
    'zh-CN': '“{plan}”套餐不包含此功能（{category}）。',
    'zh-TW': '「{plan}」方案不包含此功能（{category}）。',
  },
  profile_required: {
    en: 'A new account needs a name and a phone number.',
    'zh-CN': '新账户需要填写姓名和手机号码。',
    'zh-TW': '新帳戶需要填寫姓名與手機號碼。',
  },
  rate_limited: {
    en: 'Too many requests. Please try again in {seconds} s.',
    'zh-CN': '请求过于频繁，请在 {seconds} 秒后重试。',
    'zh-TW': '請求過於頻繁，請在 {seconds} 秒後再試。',
  },
  refresh_invalid: {
    en: 'The session has ended. Please sign in again.',
    'zh-CN': '登录状态已失效，请重新登录。',
    'zh-TW': '登入狀態已失效，請重新登入。',
  },
  session_not_distributable: {
    en: 'Data of {date} may not be distributed yet. The latest available session is {latest}.',
    'zh-CN': '{date} 的数据尚不可提供，最近可用交易日为 {latest}。',
    'zh-TW': '{date} 的資料尚不可提供，最近可用交易日為 {latest}。',
  },
  symbol_not_found: {
    en: 'The symbol {symbol} does not exist.',
    'zh-CN': '代码 {symbol} 不存在。',
    'zh-TW': '代號 {symbol} 不存在。',
  },
  too_many_symbols: {
    en: '{count} symbols are more than the plan "{plan}" allows in one batch ({max}).',
    'zh-CN': '{count} 个代码超过“{plan}”套餐单次批量上限（{max}）。',
    'zh-TW': '{count} 個代號超過「{plan}」方案單次批次上限（{max}）。',
  },
  unsupported_media_type: {
    en: 'The body must be sent as application/json.',
    'zh-CN': '请求体必须以 application/json 发送。',
    'zh-TW': '請求內容必須以 application/json 傳送。',
  },
  upstream_unavailable: {
    en: 'The data provider is temporarily unavailable. No stale data is served instead.',
    'zh-CN': '上游数据源暂时不可用，为避免提供过期数据，本次不返回结果。',
    'zh-TW': '上游資料來源暫時無法使用，為避免提供過期資料，本次不回傳結果。',
  },
  validation_failed: {
    en: 'The request does not match the schema: {where}: {problem}',
    'zh-CN': '请求不符合约定：{where}：{problem}',
    'zh-TW': '請求不符合約定：{where}：{problem}',
  },
} as const satisfies Record<ErrorCode, Text>;

export const LABEL_TEXTS = {
  'venue.consolidated': { en: 'All trading venues', 'zh-CN': '全市场合并', 'zh-TW': '全市場合併' },
  'venue.single_venue': { en: 'Single exchange', 'zh-CN': '单一交易所', 'zh-TW': '單一交易所' },
  'timeliness.eod_only': {
    en: 'End of day, available from the day after the session (T+1)',
    'zh-CN': '收盘数据，交易日次日起提供（T+1）',
    'zh-TW': '收盤資料，交易日次日起提供（T+1）',
  },
  'timeliness.delayed': {
    en: 'Delayed by at least 15 minutes',
    'zh-CN': '至少延迟 15 分钟',
    'zh-TW': '至少延遲 15 分鐘',
  },
  'timeliness.realtime': { en: 'Real time', 'zh-CN': '实时', 'zh-TW': '即時' },
  'note.delisted': { en: 'Delisted on {date}.', 'zh-CN': '已于 {date} 退市。', 'zh-TW': '已於 {date} 下市。' },
} as const satisfies Record<string, Text>;

export type LabelKey = keyof typeof LABEL_TEXTS;

function fill(template: string, details: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole));
}

export function errorText(code: ErrorCode, locale: Locale, details: Readonly<Record<string, string | number>>): string {
  return fill(ERROR_TEXTS[code][locale], details);
}

export function labelText(key: LabelKey, locale: Locale, details: Readonly<Record<string, string>> = {}): string {
  return fill(LABEL_TEXTS[key][locale], details);
}
