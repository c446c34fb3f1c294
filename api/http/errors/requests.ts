/** Errors of requests that are malformed, too large, too late, or repeated. */
import type { ErrorCode } from '../../../engine/util/errors.ts';
import { text } from '../../../engine/util/localized-text.ts';
import type { ErrorEntry } from './entry.ts';

export const REQUEST_ERRORS = {
  body_not_json: {
    status: 400,
    en: 'The request body is not valid JSON.',
    'zh-CN': '请求体不是有效的JSON。',
    'zh-TW': '請求內容不是有效的JSON。',
  },
  body_too_deep: {
    status: 413,
    en: 'The request body is nested more than {max} levels deep.',
    'zh-CN': '请求体的嵌套超过{max}层。',
    'zh-TW': '請求內容的巢狀超過{max}層。',
  },
  body_too_large: {
    status: 413,
    en: 'The request body is larger than {max}, the limit of this endpoint.',
    'zh-CN': '请求体超过{max}，即此接口接受的上限。',
    'zh-TW': '請求內容超過{max}，即此端點接受的上限。',
  },
  body_too_many_values: {
    status: 413,
    en: 'The request body has more than {max} keys and list items, the limit of this endpoint.',
    'zh-CN': '请求体中的键和列表项超过{max}个，即此接口接受的上限。',
    'zh-TW': '請求內容中的鍵和清單項目超過{max}個，即此端點接受的上限。',
    because: {
      keys: text(
        'The request body has more than {max} keys.',
        '请求体中的键超过{max}个。',
        '請求內容中的鍵超過{max}個。',
      ),
    },
  },
  headers_too_large: {
    status: 431,
    en: 'The request line and headers are larger than 16 KiB.',
    'zh-CN': '请求行和请求头超过16 KiB。',
    'zh-TW': '請求列和標頭超過16 KiB。',
  },
  idempotency_in_progress: {
    status: 409,
    en: 'A request with this idempotency key is still in progress. Please try again shortly.',
    'zh-CN': '使用该幂等键的请求仍在处理中，请稍后重试。',
    'zh-TW': '使用此冪等鍵的請求仍在處理中，請稍後再試。',
  },
  idempotency_mismatch: {
    status: 409,
    en: 'This idempotency key was already used with a different body. Please use a new key for a new request.',
    'zh-CN': '该幂等键已用于内容不同的请求，请为新的请求使用新的幂等键。',
    'zh-TW': '此冪等鍵已用於內容不同的請求，請為新的請求使用新的冪等鍵。',
  },
  invalid_date: {
    status: 400,
    en: '"{value}" is not a valid date. Expected {expected}.',
    'zh-CN': '“{value}”不是有效日期，格式应为{expected}。',
    'zh-TW': '「{value}」不是有效日期，格式應為{expected}。',
  },
  invalid_date_range: {
    status: 400,
    en: 'The start date {start} is after the end date {end}.',
    'zh-CN': '开始日期{start}晚于结束日期{end}。',
    'zh-TW': '開始日期{start}晚於結束日期{end}。',
  },
  invalid_request: {
    status: 400,
    en: 'The request could not be understood.',
    'zh-CN': '无法理解该请求。',
    'zh-TW': '無法理解此請求。',
    because: {
      batch: text(
        'The request body has to be one message, not a list.',
        '请求体必须是一条消息，而不是列表。',
        '請求內容必須是一則訊息，而不是清單。',
      ),
    },
  },
  method_not_allowed: {
    status: 405,
    en: 'The method {method} is not allowed here. Allowed: {allowed}.',
    'zh-CN': '此处不允许使用方法{method}，可用：{allowed}。',
    'zh-TW': '此處不允許使用方法{method}，可用：{allowed}。',
  },
  host_refused: {
    status: 403,
    en: 'Requests for the host {host} are not accepted. Use the public address, which the operator sets with PUBLIC_API_BASE.',
    'zh-CN': '不能通过主机名{host}调用此接口。请使用公开地址；运营方可用PUBLIC_API_BASE设置它。',
    'zh-TW': '不能透過主機名稱{host}呼叫此端點。請使用公開位址；營運方可用PUBLIC_API_BASE設定它。',
  },
  origin_refused: {
    status: 403,
    en: 'Pages of {origin} may not call this endpoint. The operator can add the site to CORS_ORIGINS.',
    'zh-CN': '{origin}的网页不能调用此接口。运营方可在CORS_ORIGINS中加入该站点。',
    'zh-TW': '{origin}的網頁不能呼叫此端點。營運方可在CORS_ORIGINS中加入該網站。',
  },
  not_found: {
    status: 404,
    en: 'Not found.',
    'zh-CN': '未找到。',
    'zh-TW': '找不到。',
  },
  precondition_failed: {
    status: 412,
    en: 'The file does not match If-Match: its ETag is {etag}.',
    'zh-CN': '文件与If-Match指定的不一致：其ETag为{etag}。',
    'zh-TW': '檔案與If-Match指定的不一致：其ETag為{etag}。',
  },
  range_not_satisfiable: {
    status: 416,
    en: 'The requested range is outside the file, which has {size} bytes.',
    'zh-CN': '请求的范围超出文件大小（{size}字节）。',
    'zh-TW': '請求的範圍超出檔案大小（{size}位元組）。',
  },
  request_timeout: {
    status: 408,
    en: 'The request did not arrive in time.',
    'zh-CN': '请求未在规定时间内到达。',
    'zh-TW': '請求未在規定時間內送達。',
  },
  too_many_connections: {
    status: 429,
    en: 'Your address has more than {max} open connections.',
    'zh-CN': '您的地址打开的连接超过{max}个。',
    'zh-TW': '您的位址開啟的連線超過{max}個。',
  },
  too_many_streams: {
    status: 429,
    en: 'The account has {max} open streams, which is as many as one may have.',
    'zh-CN': '该账户已有{max}个打开的事件流，已达上限。',
    'zh-TW': '此帳戶已有{max}個開啟的事件串流，已達上限。',
  },
  unknown_event: {
    status: 400,
    en: 'There is no event {id}, or events after it are no longer kept. Read the state anew, and begin without Last-Event-ID.',
    'zh-CN': '没有事件{id}，或其后的事件已不再保留。请重新读取状态，并从此刻起重新接收。',
    'zh-TW': '沒有事件{id}，或其後的事件已不再保留。請重新讀取狀態，並從此刻起重新接收。',
  },
  unsupported_media_type: {
    status: 415,
    en: 'The body must be sent as application/json.',
    'zh-CN': '请求体必须以application/json发送。',
    'zh-TW': '請求內容必須以application/json傳送。',
  },
  validation_failed: {
    status: 422,
    en: 'The request does not match the schema: {where}: {problem}',
    'zh-CN': '请求不符合约定：{where}：{problem}',
    'zh-TW': '請求不符合約定：{where}：{problem}',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorEntry>>;

export const SERVICE_ERRORS = {
  unavailable: {
    status: 503,
    en: 'The database is currently unavailable. Please try again shortly.',
    'zh-CN': '数据库暂时不可用，请稍后重试。',
    'zh-TW': '資料庫暫時無法使用，請稍後再試。',
  },
  internal: {
    status: 500,
    en: 'Internal server error.',
    'zh-CN': '服务器内部错误。',
    'zh-TW': '伺服器內部錯誤。',
  },
  server_busy: {
    status: 503,
    en: 'The server is preparing too many large responses. Please try again shortly.',
    'zh-CN': '服务器正在生成的大型响应过多，请稍后重试。',
    'zh-TW': '伺服器正在產生的大型回應過多，請稍後再試。',
  },
  storage_full: {
    status: 507,
    en: 'The storage of the service is full, and nothing was saved. Please try again later.',
    'zh-CN': '服务的存储空间已满，内容未保存，请稍后重试。',
    'zh-TW': '服務的儲存空間已滿，內容未儲存，請稍後再試。',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorEntry>>;
