/** Errors of backtests, optimizations, sweeps, the screener, and SQL. */
import type { ErrorCode } from '../../../engine/util/errors.ts';
import { text } from '../../../engine/util/localized-text.ts';
import type { ErrorEntry } from './entry.ts';

export const RESEARCH_ERRORS = {
  backtest_cancelled: {
    status: 503,
    en: 'The backtest was canceled before it finished. Please try again.',
    'zh-CN': '回测在完成前被取消，请重试。',
    'zh-TW': '回測在完成前被取消，請重試。',
  },
  concurrent_backtests: {
    status: 429,
    en: 'The plan {plan} allows {max} concurrent backtests.',
    'zh-CN': '“{plan}”套餐最多同时运行{max}个回测。',
    'zh-TW': '「{plan}」方案最多同時執行{max}個回測。',
  },
  example_not_ready: {
    status: 503,
    en: 'The example is still being computed. Please try again shortly.',
    'zh-CN': '示例仍在计算，请稍后重试。',
    'zh-TW': '範例仍在計算，請稍後再試。',
  },
  files_unavailable: {
    status: 503,
    en: 'The market files are being written. Please try again in a minute.',
    'zh-CN': '市场数据文件正在生成，请一分钟后重试。',
    'zh-TW': '市場資料檔案正在產生，請一分鐘後再試。',
    because: {
      loading: {
        en: 'The market data is being loaded. The files follow once that is done.',
        'zh-CN': '行情数据正在加载，完成后即有文件。',
        'zh-TW': '行情資料正在載入，完成後即有檔案。',
      },
    },
  },
  invalid_backtest_adjust: {
    status: 400,
    en: '"{value}" is not a valid adjustment for backtests. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的回测复权方式，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的回測還原方式，可選：{allowed}。',
  },
  invalid_execute_on: {
    status: 400,
    en: '"{value}" is not a valid execution time. Allowed: close, next_open.',
    'zh-CN': '“{value}”不是有效的成交时点，可选：close、next_open。',
    'zh-TW': '「{value}」不是有效的成交時點，可選：close、next_open。',
  },
  invalid_format: {
    status: 400,
    en: '"{value}" is not a valid file format. Allowed: csv, parquet.',
    'zh-CN': '“{value}”不是有效的文件格式，可选：csv、parquet。',
    'zh-TW': '「{value}」不是有效的檔案格式，可選：csv、parquet。',
  },
  invalid_preset: {
    status: 400,
    en: '"{value}" is not a valid preset. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的预设，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的範本，可選：{allowed}。',
  },
  invalid_screener_field: {
    status: 400,
    en: '"{value}" is not a valid screener field. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的筛选字段，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的篩選欄位，可選：{allowed}。',
  },
  invalid_screener_operator: {
    status: 400,
    en: '"{value}" is not a valid operator here. Allowed: {allowed}.',
    'zh-CN': '“{value}”在此不是有效的运算符，可选：{allowed}。',
    'zh-TW': '「{value}」在此不是有效的運算子，可選：{allowed}。',
  },
  invalid_strategy: {
    status: 400,
    en: '"{value}" is not a valid strategy. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的策略，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的策略，可選：{allowed}。',
  },
  invalid_time_range: {
    status: 400,
    en: '"{value}" is not a valid time range. Allowed: {allowed}.',
    'zh-CN': '“{value}”不是有效的时间范围，可选：{allowed}。',
    'zh-TW': '「{value}」不是有效的時間範圍，可選：{allowed}。',
  },
  column_deleted: {
    status: 409,
    en: 'The run read the column "{name}", which was deleted, so it cannot be computed again.',
    'zh-CN': '该次运行使用的数据列“{name}”已被删除，无法重新计算。',
    'zh-TW': '該次執行使用的資料欄「{name}」已被刪除，無法重新計算。',
  },
  load_not_kept: {
    status: 404,
    en: 'The load "{value}" is unknown or its snapshot has expired. Kept: from {first} to {last}.',
    'zh-CN': '未知的加载“{value}”，或其快照已过期。保留范围：{first}至{last}。',
    'zh-TW': '未知的載入「{value}」，或其快照已過期。保留範圍：{first}至{last}。',
  },
  figures_overflow: {
    status: 400,
    en: 'The money of this run grows beyond what a number can hold. Check the prices of its instruments.',
    'zh-CN': '本次运行的资金超出数值可表示的范围，请检查相关标的的价格。',
    'zh-TW': '本次執行的資金超出數值可表示的範圍，請檢查相關標的的價格。',
  },
  no_bars_in_range: {
    status: 400,
    en: 'There are no bars for {symbol} in the range.',
    'zh-CN': '{symbol}在该时间范围内没有数据。',
    'zh-TW': '{symbol}在此時間範圍內沒有資料。',
    notLoaded: text(
      'There are no bars for {symbol} in the range. Sessions in the range that are not loaded: {missing}.',
      '{symbol}在该时间范围内没有数据；其中{missing}个交易日尚未加载。',
      '{symbol}在此時間範圍內沒有資料；其中{missing}個交易日尚未載入。',
    ),
  },
  no_data_on_day: {
    status: 400,
    en: 'There is no data for {date}. The nearest session with data is {nearest}.',
    'zh-CN': '{date}没有数据，最近有数据的交易日是{nearest}。',
    'zh-TW': '{date}沒有資料，最近有資料的交易日是{nearest}。',
  },
  name_taken: {
    status: 409,
    en: 'The name "{name}" is already used in this account.',
    'zh-CN': '账户中已有名为“{name}”的项目。',
    'zh-TW': '帳戶中已有名為「{name}」的項目。',
  },
  quota_exceeded: {
    status: 400,
    en: 'The plan {plan} allows {max} ({quota}), and this request has {count}.',
    'zh-CN': '“{plan}”套餐的上限为{max}（{quota}），本次请求为{count}。',
    'zh-TW': '「{plan}」方案的上限為{max}（{quota}），本次請求為{count}。',
  },
  rotation_invalid: {
    status: 400,
    en: 'This rotation is not possible.',
    'zh-CN': '无法执行此轮动。',
    'zh-TW': '無法執行此輪動。',
    because: {
      no_rebalance: text(
        'The range has no session on which the rotation would be rebalanced.',
        '该时间范围内没有任何调仓日。',
        '此時間範圍內沒有任何再平衡日。',
      ),
      history: text(
        'The weights need {needed} sessions up to the first rebalance; there are {sessions}.',
        '首次调仓前需要{needed}个交易日的数据，仅有{sessions}个。',
        '首次再平衡前需要{needed}個交易日的資料，僅有{sessions}個。',
      ),
      sample_too_short: text(
        'On {date} a sample covariance had as many names as its lookback of {lookback} sessions.',
        '在{date}，样本协方差的标的数不少于回看期的{lookback}个交易日。',
        '在{date}，樣本共變異數的標的數不少於回顧期的{lookback}個交易日。',
      ),
      score_not_positive: text(
        'Weights by score need positive scores: that of {symbol} on {date} is not.',
        '按得分加权要求得分为正：{symbol}在{date}的得分不为正。',
        '依得分加權要求得分為正：{symbol}在{date}的得分不為正。',
      ),
    },
  },
  rule_invalid: {
    status: 400,
    en: 'The rule at "{where}" is not valid: {problem}.',
    'zh-CN': '“{where}”处的规则无效：{problem}。',
    'zh-TW': '「{where}」處的規則無效：{problem}。',
  },
  snapshot_unavailable: {
    status: 503,
    en: 'The screener data is not ready or is out of date. Please try again shortly.',
    'zh-CN': '筛选数据尚未就绪或已过期，请稍后重试。',
    'zh-TW': '篩選資料尚未就緒或已過期，請稍後再試。',
    because: {
      loading: text(
        'The market data is being loaded. Screens follow once that is done.',
        '行情数据正在加载，完成后即可筛选。',
        '行情資料正在載入，完成後即可篩選。',
      ),
    },
  },
  job_too_long: {
    status: 400,
    en: 'The job was stopped: it used more than the {max} seconds of worker time that your plan includes. Choose a shorter range, fewer instruments, or a smaller grid.',
    'zh-CN': '任务已终止：超过了您的套餐所含的{max}秒工作进程时间。请缩短区间、减少标的，或缩小参数网格。',
    'zh-TW': '工作已終止：超過了您的方案所含的{max}秒工作行程時間。請縮短區間、減少標的，或縮小參數網格。',
  },
  too_many_hits: {
    status: 400,
    en: 'The condition has more than {max} hits. Take only beginnings (`first`), a shorter range, or fewer instruments.',
    'zh-CN': '该条件的命中超过{max}次。请仅取状态的开始、缩短区间或减少标的。',
    'zh-TW': '該條件的命中超過{max}次。請僅取狀態的開始、縮短區間或減少標的。',
  },
  trial_budget_spent: {
    status: 403,
    en: "The key's budget of trials is spent: this would take {lacking} more than it has left. Read and judge what was run, or ask its owner for a larger budget.",
    'zh-CN': '密钥的试验额度已用完：本次运行还差{lacking}次。请阅读并评判已有结果，或请密钥所有者提高额度。',
    'zh-TW': '金鑰的試驗額度已用完：本次執行還差{lacking}次。請閱讀並評判已有結果，或請金鑰擁有者提高額度。',
  },
  column_refused: {
    status: 400,
    en: 'The column was not written: {problem}',
    'zh-CN': '未写入该列：{problem}',
    'zh-TW': '未寫入該欄：{problem}',
  },
  record_refused: {
    status: 400,
    en: 'The record was not judged: {problem}',
    'zh-CN': '未评判该记录：{problem}',
    'zh-TW': '未評判該紀錄：{problem}',
  },
  sql_exceeded: {
    status: 400,
    en: 'The query was stopped: it needs more than {limit}. Select fewer rows or columns, or download the files.',
    'zh-CN': '查询已终止：超过了{limit}的上限。请减少行或列，或下载文件自行查询。',
    'zh-TW': '查詢已終止：超過了{limit}的上限。請減少列或欄，或下載檔案自行查詢。',
  },
  sql_invalid: {
    status: 400,
    en: 'The query is not valid: {problem}',
    'zh-CN': '查询语句无效：{problem}',
    'zh-TW': '查詢語句無效：{problem}',
  },
  sql_not_allowed: {
    status: 400,
    en: 'A query must be one SELECT over bars, bars_adjusted, symbols, events, sessions, screener_daily, and my_columns. Not allowed: {value}',
    'zh-CN':
      '查询只能是对bars、bars_adjusted、symbols、events、sessions、screener_daily、my_columns的单条SELECT。不允许：{value}',
    'zh-TW':
      '查詢只能是對bars、bars_adjusted、symbols、events、sessions、screener_daily、my_columns的單一SELECT。不允許：{value}',
  },
  sql_unavailable: {
    status: 503,
    en: 'The query could not be run because its process ended. The log of the worker has the reason.',
    'zh-CN': '查询未能运行，因为其进程已终止。原因见工作进程的日志。',
    'zh-TW': '查詢未能執行，因為其行程已終止。原因見工作行程的日誌。',
  },
  sweep_expired: {
    status: 410,
    en: 'The file of the cells has expired. The result of the sweep is still available.',
    'zh-CN': '全部单元的文件已过期，全市场回测的结果仍可查看。',
    'zh-TW': '全部單元的檔案已過期，全市場回測的結果仍可查看。',
  },
  sweep_failed: {
    status: 409,
    en: 'The computation failed and has no result. Please start it again.',
    'zh-CN': '该计算已失败，没有结果，请重新开始。',
    'zh-TW': '此計算已失敗，沒有結果，請重新開始。',
  },
  sweep_not_finished: {
    status: 409,
    en: 'The computation is not finished: its status is "{status}".',
    'zh-CN': '计算尚未完成，当前状态为“{status}”。',
    'zh-TW': '計算尚未完成，目前狀態為「{status}」。',
  },
  venue_mode_refused: {
    status: 400,
    en: 'Backtests use consolidated data only. The venue mode "{value}" is not accepted.',
    'zh-CN': '回测仅使用全市场合并数据，不接受“{value}”。',
    'zh-TW': '回測僅使用全市場合併資料，不接受「{value}」。',
  },
  walk_forward_range: {
    status: 400,
    en: 'One walk-forward window needs {needed} bars (train_bars + test_bars), but the range has {bars}.',
    'zh-CN': 'walk_forward的一个窗口需要{needed}根日线（train_bars + test_bars），而该范围内只有{bars}根。',
    'zh-TW': 'walk_forward的一個視窗需要{needed}根日線（train_bars + test_bars），而此範圍內只有{bars}根。',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorEntry>>;
