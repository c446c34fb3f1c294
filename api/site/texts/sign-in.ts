/** The dialog for signing in. */
import type { Text } from '../../http/language/locale.ts';

export const SIGN_IN_TEXTS = {
  'sign_in.again.text': {
    en: 'Sign in again to continue. Nothing that you have typed is lost.',
    'zh-CN': '请重新登录以继续。您输入的内容不会丢失。',
    'zh-TW': '請重新登入以繼續。您輸入的內容不會遺失。',
  },
  'sign_in.sent': {
    en: 'We sent a six-digit code to {email}. It is valid for 10 minutes.',
    'zh-CN': '六位验证码已发送至{email}，10分钟内有效。',
    'zh-TW': '六位數驗證碼已寄至{email}，10分鐘內有效。',
  },
  'sign_in.local': {
    en: 'This installation sends no mail. To see the code, run on its machine: {command}',
    'zh-CN': '此安装不发送邮件。请在其所在机器上运行以下命令查看验证码：{command}',
    'zh-TW': '此安裝不會寄送郵件。請在該機器上執行以下指令查看驗證碼：{command}',
  },
  'sign_in.new': {
    en: 'This e-mail address is new here. Enter a name and a phone number to create an account.',
    'zh-CN': '该邮箱尚未注册。填写姓名和手机号码即可创建账户。',
    'zh-TW': '此電子郵件尚未註冊。填寫姓名與手機號碼即可建立帳戶。',
  },
  'sign_in.key': {
    en: 'This is your API key. It is shown only now; store it where your programs can read it.',
    'zh-CN': '这是您的API密钥，仅显示这一次，请妥善保管。',
    'zh-TW': '這是您的API金鑰，僅顯示這一次，請妥善保管。',
  },
  'sign_in.title': { en: 'Sign in', 'zh-CN': '登录', 'zh-TW': '登入' },
  'sign_in.again': { en: 'Your session has ended', 'zh-CN': '会话已结束', 'zh-TW': '工作階段已結束' },
  'sign_in.email': { en: 'E-mail', 'zh-CN': '邮箱', 'zh-TW': '電子郵件' },
  'sign_in.send': { en: 'Send me a code', 'zh-CN': '发送验证码', 'zh-TW': '寄送驗證碼' },
  'sign_in.code': { en: 'Code', 'zh-CN': '验证码', 'zh-TW': '驗證碼' },
  'sign_in.verify': { en: 'Sign in', 'zh-CN': '登录', 'zh-TW': '登入' },
  'sign_in.other': { en: 'Use another e-mail', 'zh-CN': '使用其他邮箱', 'zh-TW': '使用其他電子郵件' },
  'sign_in.name': { en: 'Name', 'zh-CN': '姓名', 'zh-TW': '姓名' },
  'sign_in.phone': { en: 'Phone', 'zh-CN': '手机号码', 'zh-TW': '手機號碼' },
  'sign_in.create': { en: 'Create the account', 'zh-CN': '创建账户', 'zh-TW': '建立帳戶' },
  'sign_in.continue': { en: 'Continue', 'zh-CN': '继续', 'zh-TW': '繼續' },
  'sign_in.login': { en: 'E-mail or login name', 'zh-CN': '邮箱或登录名', 'zh-TW': '電子郵件或登入名稱' },
  'sign_in.password': { en: 'Password', 'zh-CN': '密码', 'zh-TW': '密碼' },
  'sign_in.as_admin': { en: 'Sign in as an administrator', 'zh-CN': '以管理员身份登录', 'zh-TW': '以管理員身分登入' },
  'sign_in.by_code': { en: 'Sign in with a code', 'zh-CN': '使用验证码登录', 'zh-TW': '使用驗證碼登入' },
} as const satisfies Record<string, Text>;
