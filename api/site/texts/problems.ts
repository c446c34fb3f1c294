/** Problems of the installation on the on-call page, and advice by section of the runbook. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const PROBLEM_TEXTS = {
  'ops.problem.no_worker': text(
    'No worker is connected: no job runs',
    '没有工作进程连接：任务不会运行',
    '沒有工作行程連線：工作不會執行',
  ),
  'ops.problem.no_scheduler': text(
    'No scheduler is connected: new sessions are not loaded',
    '没有调度进程连接：新的交易日不会加载',
    '沒有排程行程連線：新的交易日不會載入',
  ),
  'ops.problem.clock_off': text(
    'The clock of a process differs from that of the database',
    '有进程的时钟与数据库的不一致',
    '有行程的時鐘與資料庫的不一致',
  ),
  'ops.problem.transaction_stalled': text(
    'A transaction waits for its machine: {by}',
    '有事务在等待其所在的机器：{by}',
    '有交易在等待其所在的機器：{by}',
  ),
  'ops.problem.disk_full': text(
    'Only {count} MB are free on the disk of the data folder',
    '数据文件夹所在磁盘仅剩{count} MB',
    '資料夾所在磁碟僅剩{count} MB',
  ),
  'ops.problem.queue_paused': text(
    'The queue {queue} is paused by {by}',
    '队列{queue}已被{by}暂停',
    '佇列{queue}已被{by}暫停',
  ),
  'ops.problem.load_failed': text('Load {id} failed', '加载{id}失败', '載入{id}失敗'),
  'ops.problem.session_held': text('The session of {date} is held', '{date}的交易日待放行', '{date}的交易日待放行'),
  'ops.problem.data_suspect': text(
    '{count|doubt|doubts} about events and prices to decide',
    '有{count}处事件或价格存疑待处理',
    '有{count}處事件或價格存疑待處理',
  ),
  'ops.problem.jobs_failed': text(
    '{count|job|jobs} of {queue} failed, and none has completed since',
    '{queue}有{count}个任务失败，此后没有任务完成',
    '{queue}有{count}個工作失敗，此後沒有工作完成',
  ),
  'ops.problem.data_behind': text(
    'The loaded data is {count|session|sessions} behind',
    '已加载的数据落后{count}个交易日',
    '已載入的資料落後{count}個交易日',
  ),
  'ops.problem.feed_stopped': text(
    'No new session has arrived for {count|session|sessions} of the calendar',
    '按交易日历，已有{count}个交易日没有新数据',
    '依交易日曆，已有{count}個交易日沒有新資料',
  ),
  'ops.problem.snapshot_behind': text(
    "The screener's snapshot is {count|session|sessions} behind",
    '选股快照落后{count}个交易日',
    '選股快照落後{count}個交易日',
  ),
  'ops.problem.steps_late': text(
    '{count|step|steps} of the session of {date} missed the deadline',
    '{date}的交易日有{count}个步骤逾期',
    '{date}的交易日有{count}個步驟逾期',
  ),
  'ops.problem.storage_failing': text('The object storage cannot be used', '对象存储不可用', '物件儲存無法使用'),
  'ops.problem.jobs_waiting': text(
    'A job of {queue} has been waiting for {count} s while its caller waits',
    '{queue}的一个任务已等待{count}秒，其调用方也在等待',
    '{queue}的一個工作已等待{count}秒，其呼叫方也在等待',
  ),
  'ops.problem.job_stuck': text(
    'A job of {queue} has been running for {count} s while its caller waits',
    '{queue}的一个任务已运行{count}秒，其调用方也在等待',
    '{queue}的一個工作已執行{count}秒，其呼叫方也在等待',
  ),
  'ops.problem.account_refused': text(
    '{count|call|calls} of {by} beyond its limits within five minutes',
    '{by}在五分钟内有{count}次调用超出限额',
    '{by}在五分鐘內有{count}次呼叫超出限額',
  ),
  'ops.problem.webhook_failing': text(
    'The receiver {by} does not take webhooks: {count|delivery waits|deliveries wait}',
    '接收方{by}未接收Webhook：{count}次投递在等待',
    '接收方{by}未接收Webhook：{count}次投遞在等待',
  ),
  'ops.problem.versions_differ': text(
    'Processes of {count} releases run together: {by}',
    '{count}个版本的进程同时运行：{by}',
    '{count}個版本的行程同時執行：{by}',
  ),
  'ops.problem.sessions_missing': text(
    '{count|published session is|published sessions are} not loaded',
    '{count}个已发布的交易日尚未加载',
    '{count}個已發布的交易日尚未載入',
  ),
  'ops.problem.lake_behind': text('The market files are incomplete', '市场数据文件不完整', '市場資料檔案不完整'),
  'ops.problem.vendors_differ': text(
    '{count|bar differs|bars differ} from another provider',
    '有{count}根K线与另一数据商不同',
    '有{count}根K線與另一資料來源不同',
  ),
  'ops.problem.backup_late': text('The last backup is too old', '最近一次备份已过旧', '最近一次備份已過舊'),
  'ops.problem.drill_failed': text(
    'The last backup could not be restored in its drill',
    '最近一次备份未能通过恢复演练',
    '最近一次備份未能通過還原演練',
  ),
  'ops.problem.unexplained_verdicts': text(
    '{count|kept backtest differs|kept backtests differ} from its first result, and neither data nor engine explains it',
    '{count}个已保存的回测与首次结果不同，数据与引擎均无法解释',
    '{count}個已保留的回測與首次結果不同，資料與引擎均無法解釋',
  ),
  'ops.nothing_loaded': text('Nothing is loaded', '尚未加载任何数据', '尚未載入任何資料'),
  'ops.no_snapshot': text('The screener has no snapshot', '选股没有快照', '選股沒有快照'),
  'ops.under_way': text(
    'A load is under way. No action is needed unless it fails.',
    '加载正在进行。除非失败，否则无需操作。',
    '載入正在進行。除非失敗，否則無須操作。',
  ),
  'ops.consequences': text(
    '{count|problem follows|problems follow} from it',
    '由此引起{count}个问题',
    '由此引起{count}個問題',
  ),
  'ops.advice.worker': text(
    'Start a worker. If one should be running, its last log lines say why it ended.',
    '请启动工作进程。如果它本应在运行，其最后几行日志会说明退出原因。',
    '請啟動工作行程。如果它本應在執行，其最後幾行日誌會說明結束原因。',
  ),
  'ops.advice.scheduler': text(
    'Start a scheduler. Missed schedules are caught up when it starts.',
    '请启动调度进程。启动后会补上错过的计划。',
    '請啟動排程行程。啟動後會補上錯過的排程。',
  ),
  'ops.advice.queues': text(
    'Jobs of the queue wait until somebody resumes it; none is lost. Ask the person who paused it before you resume it.',
    '队列中的任务会等待恢复，不会丢失。恢复之前请先询问暂停者。',
    '佇列中的工作會等待恢復，不會遺失。恢復之前請先詢問暫停者。',
  ),
  'ops.advice.loads': text(
    'Fix what the error names, then try the load again. It loads only the units that failed or were not reached; what is loaded stays.',
    '请先修正错误所指的问题，再重试加载。只会加载失败或未处理的部分，已加载的数据保持不变。',
    '請先修正錯誤所指的問題，再重試載入。只會載入失敗或未處理的部分，已載入的資料保持不變。',
  ),
  'ops.advice.quality': text(
    'Compare the session with another source. If the provider is right, release it; if not, load it again after the provider has corrected it. The screener uses the session before it until then.',
    '请与其他来源核对该交易日。如果数据商无误，请放行；否则待其更正后重新加载。在此之前，选股使用前一个交易日。',
    '請與其他來源核對該交易日。如果資料商無誤，請放行；否則待其更正後重新載入。在此之前，選股使用前一個交易日。',
  ),
  'ops.advice.findings': text(
    'The page of the data lists them with the bars around. Compare with another source, then confirm, ignore, or write the right event.',
    '数据页列出了这些疑点及其前后的K线。请与其他来源核对，然后确认、忽略或写入正确的事件。',
    '資料頁列出了這些疑點及其前後的K線。請與其他來源核對，然後確認、忽略或寫入正確的事件。',
  ),
  'ops.advice.jobs': text(
    'Open the job and read its error. Try it again once the cause is fixed; running a job twice does no harm.',
    '请打开任务查看错误。原因消除后即可重试，重复执行不会造成损害。',
    '請開啟工作查看錯誤。原因消除後即可重試，重複執行不會造成損害。',
  ),
  'ops.advice.backtests': text(
    'The caller of these jobs waits for them and gets their errors. Read the error; a failed run is not tried again, because nobody waits for it any more.',
    '调用方会等待这些任务，并会得知失败。请查看错误；失败的回测不会重试，因为已无人等待结果。',
    '呼叫方會等待這些工作，並會得知失敗。請查看錯誤；失敗的回測不會重試，因為已無人等待結果。',
  ),
  'ops.advice.sweeps': text(
    'Open the job and read its error. Once the cause is fixed, try it again: the sweep continues with the chunks that are not done.',
    '请打开任务查看错误。原因消除后重试：全市场回测将从未完成的分块继续。',
    '請開啟工作查看錯誤。原因消除後重試：全市場回測將從未完成的分塊繼續。',
  ),
  'ops.advice.exports': text(
    'Check that the object storage is writable and has space, then try the export again. It starts over.',
    '请确认对象存储可写且有足够空间，然后重试导出。导出会重新开始。',
    '請確認物件儲存可寫入且有足夠空間，然後重試匯出。匯出會重新開始。',
  ),
  'ops.advice.snapshot': text(
    'Build the snapshot again once the sessions before it are loaded and released. The screener keeps the last snapshot until then.',
    '待之前的交易日已加载并放行后，请重新生成快照。在此之前，选股使用上一个快照。',
    '待之前的交易日已載入並放行後，請重新產生快照。在此之前，選股使用上一個快照。',
  ),
  'ops.advice.login-mails': text(
    'Check the mail server named in the error. Codes expire after a few minutes, so people request a new one once mails are sent again.',
    '请检查错误所指的邮件服务器。验证码数分钟后失效，恢复后用户可重新获取。',
    '請檢查錯誤所指的郵件伺服器。驗證碼數分鐘後失效，恢復後使用者可重新取得。',
  ),
  'ops.advice.storage': text(
    'Check that the object storage answers and that its credentials are valid, then try the jobs again.',
    '请确认对象存储可访问且凭据有效，然后重试任务。',
    '請確認物件儲存可存取且憑證有效，然後重試工作。',
  ),
  'ops.advice.evidence': text(
    'Verify again. If the difference stays, compare the data versions and engine versions of the receipts before you trust results like it.',
    '请重新验证。如果差异仍在，请先核对凭证中的数据版本与引擎版本，再采信同类结果。',
    '請重新驗證。如果差異仍在，請先核對憑證中的資料版本與引擎版本，再採信同類結果。',
  ),
  'ops.advice.deadlines': text(
    'Open the first cell of that session that is red or waits: it says why, and its step can be taken again.',
    '打开该交易日第一个红色或等待中的单元格：其中说明原因，并可再次执行该步骤。',
    '開啟該交易日第一個紅色或等待中的儲存格：其中說明原因，並可再次執行該步驟。',
  ),
  'ops.advice.stuck': text(
    'Open the job: its timeline says what it waits for. Cancel it if nobody needs it any more; the worker then takes the next one.',
    '请打开任务：时间线会说明它在等待什么。如果已无人需要，请取消，工作进程随后会处理下一个。',
    '請開啟工作：時間軸會說明它在等待什麼。如果已無人需要，請取消，工作行程隨後會處理下一個。',
  ),
  'ops.advice.limits': text(
    'Its limits hold it back, and other accounts are served as before. Ask its owner, or disable the account or key if it does harm.',
    '限额会约束它，其他账户不受影响。请联系其所有者；如有危害，请停用该账户或密钥。',
    '限額會約束它，其他帳號不受影響。請聯絡其所有者；如有危害，請停用該帳號或金鑰。',
  ),
  'ops.advice.webhooks': text(
    'The receiver is the business of its owner, who sees each answer; deliveries are tried again for a day. If all receivers fail, workers do not reach the internet.',
    '接收方由其所有者负责，所有者可查看每次响应；投递会在一天内重试。如果所有接收方都失败，则工作进程无法访问互联网。',
    '接收方由其所有者負責，所有者可查看每次回應；投遞會在一天內重試。如果所有接收方都失敗，則工作行程無法存取網際網路。',
  ),
  'ops.advice.versions': text(
    'Normal while an update is under way. If it lasts, an update was not finished: restart the processes of the older release.',
    '更新进行时属正常现象。若持续存在，说明更新未完成：请重启旧版本的进程。',
    '更新進行時屬正常現象。若持續存在，說明更新未完成：請重新啟動舊版本的行程。',
  ),
  'ops.advice.disk': text(
    'Free space before anything else: exports go after seven days, the cache may be deleted at any time. On a full disk the database may end; nothing confirmed is lost.',
    '请先释放空间：导出文件七天后删除，缓存可随时删除。磁盘写满时数据库可能退出，已确认的数据不会丢失。',
    '請先釋放空間：匯出檔案七天後刪除，快取可隨時刪除。磁碟寫滿時資料庫可能結束，已確認的資料不會遺失。',
  ),
  'ops.advice.backups': text(
    'Read the error of the last backup, repair its cause, and make one now.',
    '请查看最近一次备份的错误，消除原因后立即备份。',
    '請查看最近一次備份的錯誤，消除原因後立即備份。',
  ),
  'ops.advice.drills': text(
    'If the backup is damaged, make one now and repeat the drill. Otherwise repair what kept it from running.',
    '如果备份已损坏，请立即重新备份并再次演练；否则请先消除演练未能进行的原因。',
    '如果備份已損壞，請立即重新備份並再次演練；否則請先消除演練未能進行的原因。',
  ),
  'ops.advice.other': text('See {section}.', '请参阅{section}。', '請參閱{section}。'),
} as const satisfies Record<string, Text>;
