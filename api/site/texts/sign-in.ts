/** The dialog for signing in. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const SIGN_IN_TEXTS = {
  'sign_in.again.text': text(
    'Sign in again to continue. Nothing that you have typed is lost.',
    '请重新登录以继续。您输入的内容不会丢失。',
    '請重新登入以繼續。您輸入的內容不會遺失。',
  ),
  'sign_in.sent': text(
    'We sent a six-digit code to {email}. It is valid for 10 minutes.',
    '六位验证码已发送至{email}，10分钟内有效。',
    '六位數驗證碼已寄至{email}，10分鐘內有效。',
  ),
  'sign_in.local': text(
    'This installation sends no mail. To see the code, run on its machine: {command}',
    '此安装不发送邮件。请在其所在机器上运行以下命令查看验证码：{command}',
    '此安裝不會寄送郵件。請在該機器上執行以下指令查看驗證碼：{command}',
  ),
  'sign_in.new': text(
    'This e-mail address is new here. A name and a phone number complete the account: with them its operator can tell people apart and reach them. They are shown to nobody else, and change or go under Account.',
    '该邮箱尚未注册。请填写姓名和手机号码以完成注册：运营方仅用于区分账户并在必要时联系您，不会向他人展示，可随时在“账户”中修改或删除。',
    '此電子郵件尚未註冊。請填寫姓名與手機號碼以完成註冊：營運方僅用於區分帳戶並在必要時聯絡您，不會向他人顯示，可隨時在「帳戶」中修改或刪除。',
  ),
  'sign_in.key': text(
    'It is shown only now: copy it to where your programs read it.',
    '仅显示这一次，请复制到程序读取密钥的位置。',
    '僅顯示這一次，請複製到程式讀取金鑰的位置。',
  ),
  'sign_in.title': text('Sign in', '登录', '登入'),
  'sign_in.again': text('Your session has ended', '会话已结束', '工作階段已結束'),
  'sign_in.email': text('E-mail', '邮箱', '電子郵件'),
  'sign_in.send': text('Send me a code', '发送验证码', '寄送驗證碼'),
  'sign_in.code': text('Code', '验证码', '驗證碼'),
  'sign_in.other': text('Use another e-mail', '使用其他邮箱', '使用其他電子郵件'),
  'sign_in.name': text('Name', '姓名', '姓名'),
  'sign_in.phone': text('Phone', '手机号码', '手機號碼'),
  'sign_in.create': text('Create the account', '创建账户', '建立帳戶'),
  'sign_in.key_title': text('Your API key', '您的API密钥', '您的API金鑰'),
  'sign_in.login': text('E-mail or login name', '邮箱或登录名', '電子郵件或登入名稱'),
  'sign_in.password': text('Password', '密码', '密碼'),
  'sign_in.as_admin': text('Sign in as an administrator', '以管理员身份登录', '以管理員身分登入'),
  'sign_in.by_code': text('Sign in with a code', '使用验证码登录', '使用驗證碼登入'),
} as const satisfies Record<string, Text>;
