/** Texts of pages that wait, are empty, or have failed; each says what to do next. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const STATE_TEXTS = {
  'state.loading': text('Loading…', '加载中…', '載入中…'),
  'state.try_again': text('Try again', '重试', '重試'),
  'state.failed': text('Loading failed', '加载失败', '載入失敗'),
  'state.offline': text('The service is not responding', '服务没有响应', '服務沒有回應'),
  'state.offline.text': text(
    'Check your connection. This page tries again automatically.',
    '请检查网络连接，页面会自动重试。',
    '請檢查網路連線，頁面會自動重試。',
  ),
  'state.away': text('The service is temporarily unavailable', '服务暂时不可用', '服務暫時無法使用'),
  'state.away.text': text(
    '{message} This page tries again automatically.',
    '{message}页面会自动重试。',
    '{message}頁面會自動重試。',
  ),
  'state.not_ready': text('Not ready yet', '尚未就绪', '尚未就緒'),
  'state.stale': text('The newest sessions are not loaded yet', '最新交易日尚未加载', '最新交易日尚未載入'),
  'state.stale.text': text(
    'Prices that are out of date are not shown. Earlier ranges can still be tested. This page continues automatically once the sessions are loaded.',
    '为避免误导，不显示过期价格；较早的时间范围仍可回测。交易日加载完成后，页面会自动继续。',
    '為避免誤導，不顯示過期價格；較早的時間範圍仍可回測。交易日載入完成後，頁面會自動繼續。',
  ),
  'state.job_failed': text('The job failed', '任务失败', '工作失敗'),
  'state.job_failed.text': text(
    'Nothing is lost: your input is still above. Try again; if it fails again, try a shorter range or fewer parameters, and tell the operator.',
    '您输入的内容保留在上方。请重试；若再次失败，请缩短时间范围或减少参数，并告知运营方。',
    '您輸入的內容保留在上方。請重試；若再次失敗，請縮短時間範圍或減少參數，並告知營運方。',
  ),
  'field.missing': text('Fill this in', '请填写此项', '請填寫此項'),
  'field.least': text('At least {least}', '不得小于{least}', '不得小於{least}'),
  'field.most': text('At most {most}', '不得大于{most}', '不得大於{most}'),
  'field.whole': text('A whole number', '请填写整数', '請填寫整數'),
  'field.number': text('A number', '请填写数字', '請填寫數字'),
  'field.email': text('A complete e-mail address', '请填写完整的邮箱地址', '請填寫完整的電子郵件地址'),
  'field.url': text('A complete address, with https://', '请填写完整网址，含https://', '請填寫完整網址，含https://'),
  'field.form': text('Not of the form that is asked for', '格式不符合要求', '格式不符合要求'),
  'state.not_found': text('Not found', '没有内容', '沒有內容'),
  'state.limited': text('You have reached a limit', '已达到限额', '已達到上限'),
  'state.limited.until': text(
    'It ends in {seconds|second|seconds}; this page then continues automatically.',
    '将在{seconds}秒后解除，届时页面会自动继续。',
    '將於{seconds}秒後解除，屆時頁面會自動繼續。',
  ),
  'state.limited.more': text(
    'You can make {limit|call|calls} of this kind in {window}. The {plan} plan allows {more}.',
    '您在{window}内可进行{limit}次此类调用，{plan}套餐允许{more}次。',
    '您在{window}內可進行{limit}次此類呼叫，{plan}方案允許{more}次。',
  ),
  'state.window.minute': text('a minute', '一分钟', '一分鐘'),
  'state.window.hour': text('an hour', '一小时', '一小時'),
  'state.plan': text('Your plan does not include this', '您的套餐不包含此功能', '您的方案不包含此功能'),
  'state.plan.from': text(
    'Included in the {plan} plan and above.',
    '{plan}及以上套餐包含此功能。',
    '{plan}以上方案包含此功能。',
  ),
  'state.sign_in': text('This needs an account', '此功能需要账户', '此功能需要帳戶'),
  'state.sign_in.text': text(
    'An e-mail address is enough; there is no password to remember.',
    '只需一个邮箱地址，无需记住密码。',
    '只需一個電子郵件地址，不必記住密碼。',
  ),
  'state.request_id': text('Request {id}', '请求编号{id}', '請求編號{id}'),
  'state.market_loading': text('The market is loading', '正在加载市场数据', '正在載入市場資料'),
  'state.market_empty.text': text(
    'Nothing is loaded yet. This page checks again automatically; the overview shows the progress of the load.',
    '尚未加载任何数据。页面会自动重试，首页显示加载进度。',
    '尚未載入任何資料。頁面會自動重試，首頁顯示載入進度。',
  ),
  'state.market_loading.of': text('{basis}: {percent}%', '{basis}：{percent}%', '{basis}：{percent}%'),
  'state.market_loading.text': text(
    'You can use the data that is already loaded; figures change until the load is complete.',
    '已加载的数据可以使用；在全部加载完成之前，数字会有变化。',
    '已載入的資料可以使用；在全部載入完成之前，數字會有變化。',
  ),
  'state.admin': text('Only administrators see this', '仅管理员可见', '僅管理員可見'),
  'state.admin.text': text(
    'The back office needs a session that began with the password of an administrator.',
    '管理后台需要以管理员密码登录。',
    '管理後台需要以管理員密碼登入。',
  ),
} as const satisfies Record<string, Text>;
