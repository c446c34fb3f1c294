/** Errors of the service itself. */
import type { ErrorCode } from '../../../engine/util/errors.ts';
import type { ErrorEntry } from './entry.ts';

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
