/** Every text that the API shows, in its three languages. `{name}` is filled in from the details of the occasion. */
import type { ErrorCode } from '../../../engine/errors.ts';
import type { Locale } from './locale.ts';

type Text = Readonly<Record<Locale, string>>;

export const ERROR_TEXTS = {
  account_inactive: {
    en: 'This account is not active.',
    'zh-CN': '该账户未处于可用状态。',
    'zh-TW': '此帳戶目前無法使用。',
  },
  admin_login_required: {
    en: 'The back office needs a session that began with the administrator login by password.',
    'zh-CN': '管理后台要求使用管理员密码登录的会话，请先通过管理员登录。',
    'zh-TW': '管理後台僅接受以管理員密碼登入的工作階段，請先以管理員身分登入。',
  },
  admin_required: {
    en: 'Only administrators may do this.',
    'zh-CN': '仅管理员可执行此操作。',
    'zh-TW': '僅管理員可執行此操作。',
  },
  already_running: {
    en: 'A job of this kind is running already.',
    'zh-CN': '同类任务正在运行。',
    'zh-TW': '同類任務正在執行。',
  },
  api_keys_max: {
    en: 'The plan "{plan}" allows {max} API keys, disabled ones included.',
    'zh-CN': '“{plan}”套餐最多允许 {max} 个 API 密钥（含已停用的密钥）。',
    'zh-TW': '「{plan}」方案最多允許 {max} 個 API 金鑰（含已停用的金鑰）。',
  },
  article_exists: {
    en: 'An article with the slug "{slug}" exists already.',
    'zh-CN': '标识为“{slug}”的文章已存在。',
    'zh-TW': '識別碼為「{slug}」的文章已存在。',
  },
  article_incomplete: {
    en: 'Only a text with a title and a body can be published; missing: {missing}.',
    'zh-CN': '只有标题和正文齐全的语言版本才能发布，缺少：{missing}。',
    'zh-TW': '只有標題與內文齊全的語言版本才能發布，缺少：{missing}。',
  },
  article_untitled: {
    en: 'An article needs a title in at least one language.',
    'zh-CN': '文章至少需要一种语言的标题。',
    'zh-TW': '文章至少需要一種語言的標題。',
  },
  backtest_cancelled: {
    en: 'The backtest was cancelled before it was done. Please try again.',
    'zh-CN': '回测在完成前被取消，请重试。',
    'zh-TW': '回測在完成前被取消，請重試。',
  },
  body_not_json: {
    en: 'The request body is not valid JSON.',
    'zh-CN': '请求体不是有效的 JSON。',
    'zh-TW': '請求內容不是有效的 JSON。',
  },
  body_too_deep: {
    en: 'The request body is nested deeper than {max} levels.',
    'zh-CN': '请求体的嵌套超过 {max} 层。',
    'zh-TW': '請求內容的巢狀超過 {max} 層。',
  },
  body_too_large: {
    en: 'The request body is larger than {max}, the most that this endpoint accepts.',
    'zh-CN': '请求体超过 {max}，即此接口接受的上限。',
    'zh-TW': '請求內容超過 {max}，即此端點接受的上限。',
  },
  body_too_many_values: {
    en: 'The request body has more than {max} keys and list items, the most that this endpoint accepts.',
    'zh-CN': '请求体中的键和列表项超过 {max} 个，即此接口接受的上限。',
    'zh-TW': '請求內容中的鍵和清單項目超過 {max} 個，即此端點接受的上限。',
  },
  code_invalid: {
    en: 'The code is wrong, was used before or has expired. Please request a new one.',
    'zh-CN': '验证码错误、已使用或已过期，请重新获取。',
    'zh-TW': '驗證碼錯誤、已使用或已過期，請重新取得。',
  },
  concurrent_backtests: {
    en: 'The plan "{plan}" allows {max} backtests at the same time.',
    'zh-CN': '“{plan}”套餐最多同时运行 {max} 个回测。',
    'zh-TW': '「{plan}」方案最多同時執行 {max} 個回測。',
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
  export_expired: {
    en: 'The file has expired or was cleaned up. Please order a new export.',
    'zh-CN': '文件已过期或已被清理，请重新创建导出。',
    'zh-TW': '檔案已過期或已被清除，請重新建立匯出。',
  },
  export_forbidden: {
    en: 'Only whoever ordered the export may download it.',
    'zh-CN': '仅导出的申请者可以下载该文件。',
    'zh-TW': '僅匯出的申請者可以下載此檔案。',
  },
  export_not_finished: {
    en: 'The export is not finished: its status is "{status}".',
    'zh-CN': '导出尚未完成，当前状态为“{status}”。',
    'zh-TW': '匯出尚未完成，目前狀態為「{status}」。',
  },
  headers_too_large: {
    en: 'The request line and headers are larger than 16 KiB.',
    'zh-CN': '请求行和请求头超过 16 KiB。',
    'zh-TW': '請求列和標頭超過 16 KiB。',
  },
  idempotency_in_progress: {
    en: 'A call with this idempotency key is still being answered. Please try again shortly.',
    'zh-CN': '使用该幂等键的请求仍在处理中，请稍后重试。',
    'zh-TW': '使用此冪等鍵的請求仍在處理中，請稍後再試。',
  },
  idempotency_mismatch: {
    en: 'This idempotency key was used before with another body. Please use a new key for a new request.',
    'zh-CN': '该幂等键已用于内容不同的请求，请为新的请求使用新的幂等键。',
    'zh-TW': '此冪等鍵已用於內容不同的請求，請為新的請求使用新的冪等鍵。',
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
  invalid_asset_type: {
    en: '"{value}" is not an asset type here. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的资产类别，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的資產類別，可選：{allowed}。',
  },
  invalid_backtest_adjust: {
    en: '"{value}" is not an adjustment of backtests. Allowed: split, none.',
    'zh-CN': '“{value}”不是有效的回测复权方式，可选：split、none。',
    'zh-TW': '「{value}」不是有效的回測還原方式，可選：split、none。',
  },
  invalid_credential: {
    en: 'The API key or token is invalid or has expired.',
    'zh-CN': 'API 密钥或令牌无效或已过期。',
    'zh-TW': 'API 金鑰或權杖無效或已過期。',
  },
  invalid_date: {
    en: '"{value}" is not a date. Expected {expected}.',
    'zh-CN': '“{value}”不是有效日期，格式应为 {expected}。',
    'zh-TW': '「{value}」不是有效日期，格式應為 {expected}。',
  },
  invalid_date_range: {
    en: 'The start date {start} is after the end date {end}.',
    'zh-CN': '开始日期 {start} 晚于结束日期 {end}。',
    'zh-TW': '開始日期 {start} 晚於結束日期 {end}。',
  },
  invalid_execute_on: {
    en: '"{value}" is not an execution. Allowed: close, next_open.',
    'zh-CN': '“{value}”不是有效的成交方式，可选：close、next_open。',
    'zh-TW': '「{value}」不是有效的成交方式，可選：close、next_open。',
  },
  invalid_format: {
    en: '"{value}" is not a file format. Allowed: csv.',
    'zh-CN': '“{value}”不是有效的文件格式，可选：csv。',
    'zh-TW': '「{value}」不是有效的檔案格式，可選：csv。',
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
  invalid_preset: {
    en: '"{value}" is not a preset. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的预设，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的預設，可選：{allowed}。',
  },
  invalid_request: {
    en: 'The request cannot be understood.',
    'zh-CN': '无法理解该请求。',
    'zh-TW': '無法理解此請求。',
  },
  invalid_screener_field: {
    en: '"{value}" is not a field of the screener. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的筛选字段，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的篩選欄位，可選：{allowed}。',
  },
  invalid_screener_operator: {
    en: '"{value}" is not an operator here. Allowed: {allowed}.',
    'zh-CN': '“{value}”在此不是有效的运算符，可选：{allowed}。',
    'zh-TW': '「{value}」在此不是有效的運算子，可選：{allowed}。',
  },
  invalid_strategy: {
    en: '"{value}" is not a strategy. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的策略，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的策略，可選：{allowed}。',
  },
  invalid_symbol: {
    en: '"{symbol}" is not a symbol. Expected a ticker such as AAPL or BRK.B, with or without .US.',
    'zh-CN': '“{symbol}”不是有效代码，应为 AAPL 或 BRK.B 之类的代码，可带 .US 后缀。',
    'zh-TW': '「{symbol}」不是有效代號，應為 AAPL 或 BRK.B 之類的代號，可帶 .US 後綴。',
  },
  invalid_time_range: {
    en: '"{value}" is not a time range. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的时间范围，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的時間範圍，可選：{allowed}。',
  },
  job_is_over: {
    en: 'What this job was for has ended; it cannot be tried again. Please order it anew.',
    'zh-CN': '该任务所属的请求已结束，无法重试，请重新提交。',
    'zh-TW': '此任務所屬的請求已結束，無法重試，請重新提交。',
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
  no_bars_in_range: {
    en: 'There is no bar of {symbol} in the range.',
    'zh-CN': '{symbol} 在该时间范围内没有数据。',
    'zh-TW': '{symbol} 在此時間範圍內沒有資料。',
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
  range_not_satisfiable: {
    en: 'The range lies outside the file of {size} bytes.',
    'zh-CN': '请求的范围超出文件大小（{size} 字节）。',
    'zh-TW': '請求的範圍超出檔案大小（{size} 位元組）。',
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
  request_timeout: {
    en: 'The request did not arrive in time.',
    'zh-CN': '请求未在规定时间内到达。',
    'zh-TW': '請求未在規定時間內送達。',
  },
  self_change: {
    en: 'Administrators cannot demote themselves or change their own status.',
    'zh-CN': '管理员不能降级自己或更改自己的状态。',
    'zh-TW': '管理員不能降級自己或變更自己的狀態。',
  },
  server_busy: {
    en: 'Too many large answers are being made at the moment. Please try again shortly.',
    'zh-CN': '当前正在生成的大型响应过多，请稍后重试。',
    'zh-TW': '目前正在產生的大型回應過多，請稍後再試。',
  },
  session_not_distributable: {
    en: 'Data of {date} may not be distributed yet. The latest available session is {latest}.',
    'zh-CN': '{date} 的数据尚不可提供，最近可用交易日为 {latest}。',
    'zh-TW': '{date} 的資料尚不可提供，最近可用交易日為 {latest}。',
  },
  snapshot_unavailable: {
    en: 'The analytical data is not ready or out of date. Please try again shortly.',
    'zh-CN': '分析数据尚未就绪或已过期，请稍后重试。',
    'zh-TW': '分析資料尚未就緒或已過期，請稍後再試。',
  },
  storage_full: {
    en: 'The storage of the service is full, and nothing was saved. Please try again later.',
    'zh-CN': '服务的存储空间已满，内容未保存，请稍后重试。',
    'zh-TW': '服務的儲存空間已滿，內容未儲存，請稍後再試。',
  },
  symbol_not_found: {
    en: 'The symbol {symbol} does not exist.',
    'zh-CN': '代码 {symbol} 不存在。',
    'zh-TW': '代號 {symbol} 不存在。',
  },
  too_many_connections: {
    en: 'There are more than {max} open connections from your address.',
    'zh-CN': '来自您的地址的连接超过 {max} 个。',
    'zh-TW': '來自您的位址的連線超過 {max} 個。',
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
  venue_mode_refused: {
    en: 'Backtests run on consolidated data; the venue mode "{value}" is refused.',
    'zh-CN': '回测仅使用全市场合并数据，不接受“{value}”。',
    'zh-TW': '回測僅使用全市場合併資料，不接受「{value}」。',
  },
  walk_forward_range: {
    en: 'One window of the walk forward needs {needed} bars (train_bars + test_bars), and the range has {bars}.',
    'zh-CN': 'walk_forward 的一个窗口需要 {needed} 根日线（train_bars + test_bars），而该范围内只有 {bars} 根。',
    'zh-TW': 'walk_forward 的一個視窗需要 {needed} 根日線（train_bars + test_bars），而此範圍內只有 {bars} 根。',
  },
  wrong_state: {
    en: 'This is possible only while the status is {needed}; it is "{status}".',
    'zh-CN': '仅当状态为 {needed} 时才能执行此操作，当前状态为“{status}”。',
    'zh-TW': '僅當狀態為 {needed} 時才能執行此操作，目前狀態為「{status}」。',
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
  'backtest.disclaimer': {
    en: 'Simulated results for research only; no investment advice. Past results do not predict future ones.',
    'zh-CN': '回测结果仅供研究参考，不构成投资建议；历史表现不代表未来收益。',
    'zh-TW': '回測結果僅供研究參考，不構成投資建議；過去績效不代表未來報酬。',
  },
  'backtest.no_cost_model': {
    en: 'No costs were given: commission and slippage are zero, which flatters frequent trading.',
    'zh-CN': '未指定交易成本：佣金与滑点按零计算，频繁交易的结果会偏乐观。',
    'zh-TW': '未指定交易成本：手續費與滑價以零計算，頻繁交易的結果會偏樂觀。',
  },
  'backtest.mixed_session_source': {
    en: 'Before 2024-07 bars are rebuilt from the primary venue: highs and lows include pre- and post-market trading and are wider, volume is of one venue.',
    'zh-CN': '2024-07 之前的数据由主要交易所重建：最高最低价包含盘前盘后交易，区间偏宽；成交量仅为单一交易所。',
    'zh-TW': '2024-07 之前的資料由主要交易所重建：最高最低價包含盤前盤後交易，區間偏寬；成交量僅為單一交易所。',
  },
  'backtest.incomplete_history': {
    en: 'Sessions of the range that were not loaded when this was computed: {count}. The result leaves them out.',
    'zh-CN': '计算时该区间内有 {count} 个交易日尚未加载，结果不包含这些交易日。',
    'zh-TW': '計算時此區間內有 {count} 個交易日尚未載入，結果不包含這些交易日。',
  },
  'backtest.missing_bars': {
    en: 'Loaded sessions between its first and its last bar in which the instrument has no bar: {count}.',
    'zh-CN': '在首尾两根数据之间，该标的有 {count} 个已加载的交易日没有数据。',
    'zh-TW': '在首尾兩筆資料之間，此標的有 {count} 個已載入的交易日沒有資料。',
  },
  'kline.incomplete_history': {
    en: 'Sessions of the range that are not loaded: {count}. The candles leave them out.',
    'zh-CN': '该区间内有 {count} 个交易日尚未加载，返回的数据不包含这些交易日。',
    'zh-TW': '此區間內有 {count} 個交易日尚未載入，回傳的資料不包含這些交易日。',
  },
  'history.being_loaded': {
    en: 'They are being loaded now.',
    'zh-CN': '缺失的交易日正在加载。',
    'zh-TW': '缺少的交易日正在載入。',
  },
  'column.seq': { en: 'No.', 'zh-CN': '序号', 'zh-TW': '序號' },
  'column.entry_date': { en: 'Entry date', 'zh-CN': '入场日期', 'zh-TW': '進場日期' },
  'column.entry_price': { en: 'Entry price', 'zh-CN': '入场价', 'zh-TW': '進場價' },
  'column.exit_date': { en: 'Exit date', 'zh-CN': '出场日期', 'zh-TW': '出場日期' },
  'column.exit_price': { en: 'Exit price', 'zh-CN': '出场价', 'zh-TW': '出場價' },
  'column.shares': { en: 'Shares', 'zh-CN': '股数', 'zh-TW': '股數' },
  'column.pnl': { en: 'P&L', 'zh-CN': '盈亏', 'zh-TW': '損益' },
  'column.pnl_pct': { en: 'P&L, %', 'zh-CN': '盈亏（%）', 'zh-TW': '損益（%）' },
  'column.bars_held': { en: 'Bars held', 'zh-CN': '持有天数（根）', 'zh-TW': '持有天數（根）' },
  'column.commission': { en: 'Commission', 'zh-CN': '佣金', 'zh-TW': '手續費' },
  'column.mae_pct': { en: 'Worst excursion, %', 'zh-CN': '最大不利波动（%）', 'zh-TW': '最大不利波動（%）' },
  'column.mfe_pct': { en: 'Best excursion, %', 'zh-CN': '最大有利波动（%）', 'zh-TW': '最大有利波動（%）' },
  'column.entry_reason': { en: 'Entry reason', 'zh-CN': '入场原因', 'zh-TW': '進場原因' },
  'column.exit_reason': { en: 'Exit reason', 'zh-CN': '出场原因', 'zh-TW': '出場原因' },
  'column.ts': { en: 'Date', 'zh-CN': '日期', 'zh-TW': '交易日期' },
  'column.open': { en: 'Open', 'zh-CN': '开盘价', 'zh-TW': '開盤價' },
  'column.high': { en: 'High', 'zh-CN': '最高价', 'zh-TW': '最高價' },
  'column.low': { en: 'Low', 'zh-CN': '最低价', 'zh-TW': '最低價' },
  'column.close': { en: 'Close', 'zh-CN': '收盘价', 'zh-TW': '收盤價' },
  'column.volume': { en: 'Volume', 'zh-CN': '成交量', 'zh-TW': '成交量（股）' },
  'column.equity': { en: 'Equity', 'zh-CN': '权益', 'zh-TW': '權益' },
  'column.drawdown_pct': { en: 'Drawdown, %', 'zh-CN': '回撤（%）', 'zh-TW': '回落（%）' },
  'column.buy_hold': { en: 'Buy and hold', 'zh-CN': '买入持有', 'zh-TW': '買進持有' },
  'kline.older_bars_in_backtests': {
    en: 'Older bars exist on the primary-session basis. Candles do not serve them; backtests use them.',
    'zh-CN': '更早的日线属于主交易所时段口径，K 线接口不提供，回测会使用。',
    'zh-TW': '更早的日線屬於主要交易所時段口徑，K 線介面不提供，回測會使用。',
  },
  'range.no_bars': {
    en: '{symbol} has no consolidated bar.',
    'zh-CN': '{symbol} 没有全市场合并口径的日线。',
    'zh-TW': '{symbol} 沒有全市場合併口徑的日線。',
  },
  'range.before_listing': {
    en: 'The range begins before the listing; the first bar is of {start}.',
    'zh-CN': '起始日期早于上市日期，实际从 {start} 开始。',
    'zh-TW': '起始日期早於上市日期，實際自 {start} 開始。',
  },
  'range.before_data_start': {
    en: 'The range begins before the data; the first bar is of {start}.',
    'zh-CN': '起始日期早于数据起点，实际从 {start} 开始。',
    'zh-TW': '起始日期早於資料起點，實際自 {start} 開始。',
  },
  'range.after_delisting': {
    en: 'The range ends after the delisting; the last bar is of {end}.',
    'zh-CN': '结束日期晚于退市日期，实际到 {end} 为止。',
    'zh-TW': '結束日期晚於下市日期，實際到 {end} 為止。',
  },
  'range.after_data_end': {
    en: 'The range ends after the data; the last bar is of {end}.',
    'zh-CN': '结束日期晚于数据终点，实际到 {end} 为止。',
    'zh-TW': '結束日期晚於資料終點，實際到 {end} 為止。',
  },
  'range.not_loaded': {
    en: 'Sessions at an end of the range are not loaded; the bars reach from {start} to {end}.',
    'zh-CN': '区间一端的部分交易日尚未加载，实际数据为 {start} 至 {end}。',
    'zh-TW': '區間一端的部分交易日尚未載入，實際資料為 {start} 至 {end}。',
  },
  'range.none_loaded': {
    en: 'Sessions of the range are not loaded, and there is no bar in the others.',
    'zh-CN': '该区间的部分交易日尚未加载，其余交易日没有数据。',
    'zh-TW': '此區間的部分交易日尚未載入，其餘交易日沒有資料。',
  },
  'error.no_bars_not_loaded': {
    en: 'There is no bar of {symbol} in the range. Sessions of the range that are not loaded: {missing}.',
    'zh-CN': '{symbol} 在该时间范围内没有数据；其中 {missing} 个交易日尚未加载。',
    'zh-TW': '{symbol} 在此時間範圍內沒有資料；其中 {missing} 個交易日尚未載入。',
  },
  'source.sample': {
    en: 'Synthetic sample market: invented instruments and prices, not real data',
    'zh-CN': '合成的示例市场：证券与价格均为虚构，并非真实数据',
    'zh-TW': '合成的範例市場：證券與價格均為虛構，並非真實資料',
  },
  'source.files': { en: 'Files in a local folder', 'zh-CN': '本地文件夹中的文件', 'zh-TW': '本機資料夾中的檔案' },
  'source.databento': {
    en: 'Databento US Equities Summary',
    'zh-CN': 'Databento 美股汇总数据',
    'zh-TW': 'Databento 美股彙總資料',
  },
  'stats.latency': {
    en: 'Counts are of kept backtests, runs of guests not included; durations are from the access log, runs of guests included.',
    'zh-CN': '数量统计自已保存的回测（不含访客运行）；耗时统计自访问日志（含访客运行）。',
    'zh-TW': '數量統計自已儲存的回測（不含訪客執行）；耗時統計自存取記錄（含訪客執行）。',
  },
  'note.delisted': { en: 'Delisted on {date}.', 'zh-CN': '已于 {date} 退市。', 'zh-TW': '已於 {date} 下市。' },
} as const satisfies Record<string, Text>;

/** What is wrong with a field of a request, to stand after its name. */
export const PROBLEM_TEXTS = {
  above_maximum: { en: 'expected at most {max}', 'zh-CN': '不得大于 {max}', 'zh-TW': '不得大於 {max}' },
  below_minimum: { en: 'expected at least {min}', 'zh-CN': '不得小于 {min}', 'zh-TW': '不得小於 {min}' },
  control_characters: {
    en: 'must not contain control characters',
    'zh-CN': '不得包含控制字符',
    'zh-TW': '不得包含控制字元',
  },
  expected_array: { en: 'expected an array', 'zh-CN': '应为数组', 'zh-TW': '應為陣列' },
  expected_boolean: { en: 'expected true or false', 'zh-CN': '应为 true 或 false', 'zh-TW': '應為 true 或 false' },
  expected_email: { en: 'expected an e-mail address', 'zh-CN': '应为电子邮箱地址', 'zh-TW': '應為電子郵件地址' },
  expected_instant: { en: 'expected {expected}', 'zh-CN': '应为 {expected}', 'zh-TW': '應為 {expected}' },
  expected_integer: { en: 'expected a whole number', 'zh-CN': '应为整数', 'zh-TW': '應為整數' },
  expected_number: { en: 'expected a number', 'zh-CN': '应为数字', 'zh-TW': '應為數字' },
  expected_object: { en: 'expected an object', 'zh-CN': '应为对象', 'zh-TW': '應為物件' },
  expected_string: { en: 'expected a string', 'zh-CN': '应为字符串', 'zh-TW': '應為字串' },
  expected_url: {
    en: 'expected a web address (http or https)',
    'zh-CN': '应为网址（http 或 https）',
    'zh-TW': '應為網址（http 或 https）',
  },
  expected_uuid: { en: 'expected a UUID', 'zh-CN': '应为 UUID', 'zh-TW': '應為 UUID' },
  fits_no_form: {
    en: 'fits none of the allowed forms',
    'zh-CN': '不符合任何允许的形式',
    'zh-TW': '不符合任何允許的形式',
  },
  grid_empty: {
    en: 'names no parameter; at least one is needed',
    'zh-CN': '未包含任何参数，至少需要一个',
    'zh-TW': '未包含任何參數，至少需要一個',
  },
  grid_from_above_to: {
    en: 'from must not be larger than to',
    'zh-CN': 'from 不得大于 to',
    'zh-TW': 'from 不得大於 to',
  },
  grid_has_no_combination: {
    en: 'no combination is allowed by the strategy',
    'zh-CN': '没有任何组合符合策略要求',
    'zh-TW': '沒有任何組合符合策略要求',
  },
  grid_lacks_name: {
    en: '{name} is not in the grid',
    'zh-CN': '参数网格中没有 {name}',
    'zh-TW': '參數網格中沒有 {name}',
  },
  grid_name_twice: {
    en: 'expected two different parameters',
    'zh-CN': '应为两个不同的参数',
    'zh-TW': '應為兩個不同的參數',
  },
  grid_too_many_combinations: {
    en: '{count} combinations; at most {max} are allowed',
    'zh-CN': '共 {count} 种组合，最多允许 {max} 种',
    'zh-TW': '共 {count} 種組合，最多允許 {max} 種',
  },
  grid_too_many_values: {
    en: 'expected at most {max} values',
    'zh-CN': '最多 {max} 个取值',
    'zh-TW': '最多 {max} 個取值',
  },
  grid_too_many_windows: {
    en: 'too many windows for so many combinations',
    'zh-CN': '组合数过多，滚动窗口数超出上限',
    'zh-TW': '組合數過多，滾動視窗數超出上限',
  },
  grid_window_too_long: {
    en: 'a window of {needed} bars does not fit into a range of {bars}',
    'zh-CN': '窗口共 {needed} 根日线，超出范围内的 {bars} 根',
    'zh-TW': '視窗共 {needed} 根日線，超出範圍內的 {bars} 根',
  },
  invalid: { en: 'is not valid', 'zh-CN': '无效', 'zh-TW': '無效' },
  invalid_name: { en: 'has a name that is not valid', 'zh-CN': '名称无效', 'zh-TW': '名稱無效' },
  list_too_long: { en: 'expected at most {max} entries', 'zh-CN': '最多 {max} 项', 'zh-TW': '最多 {max} 項' },
  list_too_short: { en: 'expected at least {min} entries', 'zh-CN': '至少 {min} 项', 'zh-TW': '至少 {min} 項' },
  needs_second_value: {
    en: '{op} needs a second value',
    'zh-CN': '{op} 需要第二个数值',
    'zh-TW': '{op} 需要第二個數值',
  },
  needs_value: { en: '{op} needs a value', 'zh-CN': '{op} 需要一个数值', 'zh-TW': '{op} 需要一個數值' },
  no_period: {
    en: 'is not accepted here: {field} has no period',
    'zh-CN': '不适用：{field} 没有周期参数',
    'zh-TW': '不適用：{field} 沒有週期參數',
  },
  not_above: { en: 'expected more than {min}', 'zh-CN': '必须大于 {min}', 'zh-TW': '必須大於 {min}' },
  not_below: { en: 'expected less than {max}', 'zh-CN': '必须小于 {max}', 'zh-TW': '必須小於 {max}' },
  not_below_other: { en: 'must be smaller than {other}', 'zh-CN': '必须小于 {other}', 'zh-TW': '必須小於 {other}' },
  not_between: {
    en: 'expected {min} to {max}',
    'zh-CN': '应在 {min} 到 {max} 之间',
    'zh-TW': '應介於 {min} 到 {max} 之間',
  },
  not_multiple_of: {
    en: 'expected a multiple of {divisor}',
    'zh-CN': '应为 {divisor} 的倍数',
    'zh-TW': '應為 {divisor} 的倍數',
  },
  not_one_of: {
    en: 'expected one of {allowed}',
    'zh-CN': '应为以下之一：{allowed}',
    'zh-TW': '應為以下之一：{allowed}',
  },
  not_printable: {
    en: 'expected {min} to {max} printable characters',
    'zh-CN': '应为 {min} 到 {max} 个可打印字符',
    'zh-TW': '應為 {min} 到 {max} 個可列印字元',
  },
  nothing_expected: {
    en: 'unknown name; nothing is expected here',
    'zh-CN': '未知名称，此处不接受任何字段',
    'zh-TW': '未知名稱，此處不接受任何欄位',
  },
  only_for: { en: 'is for {kind} only', 'zh-CN': '仅适用于 {kind}', 'zh-TW': '僅適用於 {kind}' },
  required: { en: 'is required', 'zh-CN': '必须提供', 'zh-TW': '必須提供' },
  same_as: {
    en: 'is another name for {name}; send only one of them',
    'zh-CN': '与 {name} 是同一参数，只能提供其中一个',
    'zh-TW': '與 {name} 是同一參數，只能提供其中一個',
  },
  smaller_than_value: { en: 'must not be smaller than value', 'zh-CN': '不得小于 value', 'zh-TW': '不得小於 value' },
  text_too_long: {
    en: 'expected at most {max} characters',
    'zh-CN': '最多 {max} 个字符',
    'zh-TW': '最多 {max} 個字元',
  },
  text_too_short: {
    en: 'expected at least {min} characters',
    'zh-CN': '至少 {min} 个字符',
    'zh-TW': '至少 {min} 個字元',
  },
  unknown_name: {
    en: 'unknown name; the nearest known one is "{nearest}"',
    'zh-CN': '未知名称，最接近的已知名称是“{nearest}”',
    'zh-TW': '未知名稱，最接近的已知名稱是「{nearest}」',
  },
  value_excluded: { en: '{value} is not allowed', 'zh-CN': '不允许取值 {value}', 'zh-TW': '不允許取值 {value}' },
  wrong_format: { en: 'has the wrong format', 'zh-CN': '格式不正确', 'zh-TW': '格式不正確' },
  wrong_pattern: {
    en: 'expected a text that matches {pattern}',
    'zh-CN': '应匹配 {pattern}',
    'zh-TW': '應符合 {pattern}',
  },
  wrong_type: { en: 'has the wrong type', 'zh-CN': '类型不正确', 'zh-TW': '類型不正確' },
} as const satisfies Record<string, Text>;

export type LabelKey = keyof typeof LABEL_TEXTS;

/** Fills in `{name}` from the details. */
export function fill(template: string, details: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole));
}

export function errorText(code: ErrorCode, locale: Locale, details: Readonly<Record<string, string | number>>): string {
  if (code === 'no_bars_in_range' && 'missing' in details) {
    return fill(LABEL_TEXTS['error.no_bars_not_loaded'][locale], details);
  }
  return fill(ERROR_TEXTS[code][locale], details);
}

export function labelText(key: LabelKey, locale: Locale, details: Readonly<Record<string, string>> = {}): string {
  return fill(LABEL_TEXTS[key][locale], details);
}

/** Sentences in a row: Chinese has no space between them. */
export function joinSentences(locale: Locale, ...sentences: readonly string[]): string {
  return sentences.join(locale === 'en' ? ' ' : '');
}
