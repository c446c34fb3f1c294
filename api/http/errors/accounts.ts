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
