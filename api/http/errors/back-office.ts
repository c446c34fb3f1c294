/** Errors of articles, exports, loads, and jobs in the back office. */
import type { ErrorCode } from '../../../engine/util/errors.ts';
import type { ErrorEntry } from './entry.ts';

export const BACK_OFFICE_ERRORS = {
  already_running: {
    status: 409,
    en: 'A job of this kind is already running.',
    'zh-CN': '同类任务正在运行。',
    'zh-TW': '同類工作正在執行。',
  },
  article_exists: {
    status: 409,
    en: 'An article with the slug "{slug}" already exists.',
    'zh-CN': '标识为“{slug}”的文章已存在。',
    'zh-TW': '識別碼為「{slug}」的文章已存在。',
  },
  article_incomplete: {
    status: 400,
    en: 'A text needs a title and a body to be published. Missing: {missing}.',
    'zh-CN': '语言版本须有标题和正文才能发布，缺少：{missing}。',
    'zh-TW': '語言版本須有標題與內文才能發布，缺少：{missing}。',
  },
  article_untitled: {
    status: 400,
    en: 'An article needs a title in at least one language.',
    'zh-CN': '文章至少需要一种语言的标题。',
    'zh-TW': '文章至少需要一種語言的標題。',
  },
  cover_refused: {
    status: 400,
    en: 'A cover is a picture as PNG or JPEG of at most {bytes} bytes and {pixels} pixels on a side.',
    'zh-CN': '封面须为PNG或JPEG图片，不超过{bytes}字节，每边不超过{pixels}像素。',
    'zh-TW': '封面須為PNG或JPEG圖片，不超過{bytes}位元組，每邊不超過{pixels}像素。',
  },
  export_expired: {
    status: 410,
    en: 'The file has expired or was removed. Please create a new export.',
    'zh-CN': '文件已过期或已被清理，请重新创建导出。',
    'zh-TW': '檔案已過期或已被清除，請重新建立匯出。',
  },
  export_forbidden: {
    status: 403,
    en: 'Only the account that created the export can download its file.',
    'zh-CN': '仅创建该导出的账户可以下载其文件。',
    'zh-TW': '僅建立此匯出的帳戶可以下載其檔案。',
  },
  export_not_finished: {
    status: 409,
    en: 'The export is not finished: its status is "{status}".',
    'zh-CN': '导出尚未完成，当前状态为“{status}”。',
    'zh-TW': '匯出尚未完成，目前狀態為「{status}」。',
  },
  files_refused: {
    status: 400,
    en: 'The files cannot be read: {reason}.',
    'zh-CN': '无法读取文件：{reason}。',
    'zh-TW': '無法讀取檔案：{reason}。',
  },
  provider_not_configured: {
    status: 400,
    en: 'This installation cannot compare with "{provider}"; configured providers: {allowed}.',
    'zh-CN': '此安装无法与“{provider}”比对；已配置的数据商：{allowed}。',
    'zh-TW': '此安裝無法與「{provider}」比對；已設定的資料商：{allowed}。',
  },
  job_is_over: {
    status: 409,
    en: 'The request of this job has ended, so the job cannot be retried. Please submit the request again.',
    'zh-CN': '该任务所属的请求已结束，无法重试，请重新提交。',
    'zh-TW': '此工作所屬的請求已結束，無法重試，請重新提交。',
  },
  wrong_state: {
    status: 409,
    en: 'This action requires the status {needed}, but the current status is "{status}".',
    'zh-CN': '仅当状态为{needed}时才能执行此操作，当前状态为“{status}”。',
    'zh-TW': '僅當狀態為{needed}時才能執行此操作，目前狀態為「{status}」。',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorEntry>>;
