/** Texts of pages that wait, are empty, or have failed; each says what to do next. */
import type { Text } from '../../http/language/locale.ts';

export const STATE_TEXTS = {
  'state.loading': { en: 'Loading…', 'zh-CN': '加载中…', 'zh-TW': '載入中…' },
  'state.try_again': { en: 'Try again', 'zh-CN': '重试', 'zh-TW': '重試' },
  'state.failed': { en: 'Loading failed', 'zh-CN': '加载失败', 'zh-TW': '載入失敗' },
  'state.offline': { en: 'The service is not responding', 'zh-CN': '服务没有响应', 'zh-TW': '服務沒有回應' },
  'state.offline.text': {
    en: 'Check your connection. This page tries again automatically.',
    'zh-CN': '请检查网络连接，页面会自动重试。',
    'zh-TW': '請檢查網路連線，頁面會自動重試。',
  },
  'state.away': {
    en: 'The service is temporarily unavailable',
    'zh-CN': '服务暂时不可用',
    'zh-TW': '服務暫時無法使用',
  },
  'state.away.text': {
    en: '{message} This page tries again automatically.',
    'zh-CN': '{message}页面会自动重试。',
    'zh-TW': '{message}頁面會自動重試。',
  },
  'state.not_ready': { en: 'Not ready yet', 'zh-CN': '尚未就绪', 'zh-TW': '尚未就緒' },
  'state.stale': {
    en: 'The newest sessions are not loaded yet',
    'zh-CN': '最新交易日尚未加载',
    'zh-TW': '最新交易日尚未載入',
  },
  'state.stale.text': {
    en: 'Prices that are out of date are not shown. Earlier ranges can still be tested. This page continues automatically once the sessions are loaded.',
    'zh-CN': '为避免误导，不显示过期价格；较早的时间范围仍可回测。交易日加载完成后，页面会自动继续。',
    'zh-TW': '為避免誤導，不顯示過期價格；較早的時間範圍仍可回測。交易日載入完成後，頁面會自動繼續。',
  },
  'state.job_failed': { en: 'The job failed', 'zh-CN': '任务失败', 'zh-TW': '工作失敗' },
  'state.job_failed.text': {
    en: 'Nothing is lost: your input is still above. Try again; if it fails again, try a shorter range or fewer parameters, and tell the operator.',
    'zh-CN': '您输入的内容保留在上方。请重试；若再次失败，请缩短时间范围或减少参数，并告知运营方。',
    'zh-TW': '您輸入的內容保留在上方。請重試；若再次失敗，請縮短時間範圍或減少參數，並告知營運方。',
  },
  'state.not_found': { en: 'Not found', 'zh-CN': '没有内容', 'zh-TW': '沒有內容' },
  'state.limited': { en: 'You have reached a limit', 'zh-CN': '已达到限额', 'zh-TW': '已達到上限' },
  'state.limited.until': {
    en: 'It ends in {seconds|second|seconds}; this page then continues automatically.',
    'zh-CN': '将在{seconds}秒后解除，届时页面会自动继续。',
    'zh-TW': '將於{seconds}秒後解除，屆時頁面會自動繼續。',
  },
  'state.limited.more': {
    en: 'You can make {limit|call|calls} of this kind in {window}. The {plan} plan allows {more}.',
    'zh-CN': '您在{window}内可进行{limit}次此类调用，{plan}套餐允许{more}次。',
    'zh-TW': '您在{window}內可進行{limit}次此類呼叫，{plan}方案允許{more}次。',
  },
  'state.window.minute': { en: 'a minute', 'zh-CN': '一分钟', 'zh-TW': '一分鐘' },
  'state.window.hour': { en: 'an hour', 'zh-CN': '一小时', 'zh-TW': '一小時' },
  'state.plan': {
    en: 'Your plan does not include this',
    'zh-CN': '您的套餐不包含此功能',
    'zh-TW': '您的方案不包含此功能',
  },
  'state.plan.from': {
    en: 'Included in the {plan} plan and above.',
    'zh-CN': '{plan}及以上套餐包含此功能。',
    'zh-TW': '{plan}以上方案包含此功能。',
  },
  'state.sign_in': { en: 'This needs an account', 'zh-CN': '此功能需要账户', 'zh-TW': '此功能需要帳戶' },
  'state.sign_in.text': {
    en: 'An e-mail address is enough; there is no password to remember.',
    'zh-CN': '只需一个邮箱地址，无需记住密码。',
    'zh-TW': '只需一個電子郵件地址，不必記住密碼。',
  },
  'state.request_id': { en: 'Request {id}', 'zh-CN': '请求编号{id}', 'zh-TW': '請求編號{id}' },
  'state.market_loading': { en: 'The market is loading', 'zh-CN': '正在加载市场数据', 'zh-TW': '正在載入市場資料' },
  'state.market_empty.text': {
    en: 'Nothing is loaded yet. This page checks again automatically; the overview shows the progress of the load.',
    'zh-CN': '尚未加载任何数据。页面会自动重试，首页显示加载进度。',
    'zh-TW': '尚未載入任何資料。頁面會自動重試，首頁顯示載入進度。',
  },
  'state.market_loading.of': {
    en: '{basis}: {percent}%',
    'zh-CN': '{basis}：{percent}%',
    'zh-TW': '{basis}：{percent}%',
  },
  'state.market_loading.text': {
    en: 'You can use the data that is already loaded; figures change until the load is complete.',
    'zh-CN': '已加载的数据可以使用；在全部加载完成之前，数字会有变化。',
    'zh-TW': '已載入的資料可以使用；在全部載入完成之前，數字會有變化。',
  },
  'state.admin': { en: 'Only administrators see this', 'zh-CN': '仅管理员可见', 'zh-TW': '僅管理員可見' },
  'state.admin.text': {
    en: 'The back office needs a session that began with the password of an administrator.',
    'zh-CN': '管理后台需要以管理员密码登录。',
    'zh-TW': '管理後台需要以管理員密碼登入。',
  },
} as const satisfies Record<string, Text>;
