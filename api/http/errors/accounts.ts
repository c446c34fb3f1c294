/** Errors of credentials, logins, accounts, plans, and rate limits. */
import type { ErrorCode } from '../../../engine/util/errors.ts';
import { text } from '../../../engine/util/localized-text.ts';
import type { ErrorEntry } from './entry.ts';

export const ACCOUNT_ERRORS = {
  account_inactive: {
    status: 403,
    en: 'This account is not active.',
    'zh-CN': '该账户未处于启用状态。',
    'zh-TW': '此帳戶未處於啟用狀態。',
  },
  admin_login_required: {
    status: 403,
    en: 'The back office requires a session that started with the administrator password login.',
    'zh-CN': '管理后台要求使用管理员密码登录的会话，请先通过管理员登录。',
    'zh-TW': '管理後台僅接受以管理員密碼登入的工作階段，請先以管理員身分登入。',
  },
  admin_required: {
    status: 403,
    en: 'Only administrators may do this.',
    'zh-CN': '仅管理员可执行此操作。',
    'zh-TW': '僅管理員可執行此操作。',
  },
  api_keys_max: {
    status: 403,
    en: 'The plan {plan} allows {max} API keys, disabled ones included.',
    'zh-CN': '“{plan}”套餐最多允许{max}个API密钥（含已停用的密钥）。',
    'zh-TW': '「{plan}」方案最多允許{max}個API金鑰（含已停用的金鑰）。',
  },
  scope_missing: {
    status: 403,
    en: 'The key lacks the scope "{scope}". Its owner can add it.',
    'zh-CN': '密钥缺少权限“{scope}”，可由其所有者添加。',
    'zh-TW': '金鑰缺少權限「{scope}」，可由其擁有者新增。',
  },
  code_invalid: {
    status: 400,
    en: 'The code is wrong, already used, or expired. Check it, or request a new one.',
    'zh-CN': '验证码错误、已使用或已过期，请检查后重试，或重新获取。',
    'zh-TW': '驗證碼錯誤、已使用或已過期，請檢查後重試，或重新取得。',
    because: {
      wrong: text(
        'The code is wrong. Check it and try again; tries left: {left}.',
        '验证码错误，请检查后重试，剩余{left}次。',
        '驗證碼錯誤，請檢查後重試，剩餘{left}次。',
      ),
      spent: text(
        'The code is no longer valid. Please request a new one.',
        '该验证码已失效，请重新获取。',
        '此驗證碼已失效，請重新取得。',
      ),
    },
  },
  email_mismatch: {
    status: 400,
    en: 'The e-mail address does not match this account.',
    'zh-CN': '邮箱与当前账户不一致。',
    'zh-TW': '電子郵件與目前帳戶不符。',
  },
  grant_required: {
    status: 401,
    en: 'This needs an account: let the assistant ask for a grant, or give it an API key.',
    'zh-CN': '此操作需要账户：请让助手申请授权，或为其提供API密钥。',
    'zh-TW': '此操作需要帳戶：請讓助理申請授權，或提供其API金鑰。',
  },
  invalid_credential: {
    status: 401,
    en: 'The API key or token is invalid or has expired.',
    'zh-CN': 'API密钥或令牌无效或已过期。',
    'zh-TW': 'API金鑰或權杖無效或已過期。',
  },
  last_admin: {
    status: 400,
    en: 'The last active administrator cannot be demoted, disabled, or deleted.',
    'zh-CN': '不能降级、停用或删除最后一名可用的管理员。',
    'zh-TW': '無法降級、停用或刪除最後一位可用的管理員。',
  },
  login_failed: {
    status: 401,
    en: 'The login name or password is incorrect.',
    'zh-CN': '登录名或密码错误。',
    'zh-TW': '登入名稱或密碼錯誤。',
  },
  login_required: {
    status: 403,
    en: 'Please sign in. This endpoint requires an access token, or an API key where the documentation allows one.',
    'zh-CN': '请先登录：此操作需要访问令牌，或在文档允许处使用API密钥。',
    'zh-TW': '請先登入：此操作需要存取權杖，或在文件允許處使用API金鑰。',
  },
  plan_capability: {
    status: 403,
    en: 'The plan {plan} does not include this feature ({category}).',
    'zh-CN': '“{plan}”套餐不包含此功能（{category}）。',
    'zh-TW': '「{plan}」方案不包含此功能（{category}）。',
  },
  profile_required: {
    status: 400,
    en: 'A new account needs a name and a phone number.',
    'zh-CN': '新账户需要填写姓名和手机号码。',
    'zh-TW': '新帳戶需要填寫姓名與手機號碼。',
  },
  rate_limited: {
    status: 429,
    en: 'Too many requests. Please try again in {seconds} s.',
    'zh-CN': '请求过于频繁，请在{seconds}秒后重试。',
    'zh-TW': '請求過於頻繁，請在{seconds}秒後再試。',
    because: {
      backtest: {
        en: 'Too many requests. Please try again in {seconds} s. A sweep or an optimization runs thousands of combinations in one call.',
        'zh-CN': '请求过于频繁，请在{seconds}秒后重试。全市场回测和参数优化一次调用可运行数千种组合。',
        'zh-TW': '請求過於頻繁，請在{seconds}秒後再試。全市場回測與參數最佳化一次呼叫可執行數千種組合。',
      },
    },
  },
  refresh_invalid: {
    status: 401,
    en: 'The session has ended. Please sign in again.',
    'zh-CN': '登录状态已失效，请重新登录。',
    'zh-TW': '登入狀態已失效，請重新登入。',
  },
  self_change: {
    status: 400,
    en: 'Administrators cannot demote themselves or change their own status.',
    'zh-CN': '管理员不能降级自己或更改自己的状态。',
    'zh-TW': '管理員不能降級自己或變更自己的狀態。',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorEntry>>;

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
  export_too_soon: {
    status: 409,
    en: 'The data of an account can be exported once an hour. Please try again after {after}.',
    'zh-CN': '账户数据每小时只能导出一次，请在{after}之后重试。',
    'zh-TW': '帳戶資料每小時只能匯出一次，請於{after}之後重試。',
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
