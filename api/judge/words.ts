/** Notes on records that are judged. */
import { JUDGE_NOTES, type JudgeNote, type JudgeNoteCode } from '../../engine/judge/doubts.ts';
import type { Frequency } from '../../engine/judge/frequency.ts';
import { text } from '../../engine/util/localized-text.ts';
import { fill, type Locale, type Text } from '../http/language/locale.ts';

const NOTE_TEXTS: Readonly<Record<JudgeNoteCode, Text>> = {
  frequency_guessed: text(
    'Rows are taken for {frequency} by the steps between them, in {streams} of the streams. `frequency` says otherwise.',
    '按行间距，{streams}个序列视为{frequency}数据。可用`frequency`另行指定。',
    '按列間距，{streams}個序列視為{frequency}資料。可用`frequency`另行指定。',
  ),
  realized_only: text(
    'The curve is 100,000 plus what trades have realized by the session of their exit: losses of open positions are not in it.',
    '净值为100,000加上截至各平仓日已实现的盈亏：不含未平仓头寸的浮动亏损。',
    '淨值為100,000加上截至各平倉日已實現的損益：不含未平倉部位的浮動虧損。',
  ),
  no_benchmark: text(
    'Without a benchmark nothing tells skill from a rising market.',
    '没有基准，无法区分本领与上涨的市场。',
    '沒有基準，無法區分本領與上漲的市場。',
  ),
  assumed: text(
    'Power and false discovery rate assume that skill is a Sharpe ratio of {sharpe} a year, and that a share of {prior} of all streams has it. Both are inputs, not findings.',
    '检验功效与错误发现率假设：有本领者年夏普比率为{sharpe}，其占比为{prior}。二者是输入，不是结论。',
    '檢定力與錯誤發現率假設：有本領者年夏普比率為{sharpe}，其占比為{prior}。二者是輸入，不是結論。',
  ),
  short_record: text(
    'Fewer than {least} periods in {streams} of the streams: too few for skill, intervals, and serial figures, which are null.',
    '{streams}个序列少于{least}期：不足以得出本领、区间与序列相关指标，这些指标为空。',
    '{streams}個序列少於{least}期：不足以得出本領、區間與序列相關指標，這些指標為空。',
  ),
  figures_only: text(
    'Figures without series, or without resamples, for {streams} of the streams. `detail` asks for them by name.',
    '{streams}个序列仅有指标，不含时间序列或重抽样。可用`detail`按名称请求。',
    '{streams}個序列僅有指標，不含時間序列或重抽樣。可用`detail`按名稱請求。',
  ),
  gaps: text(
    'Periods between the first row and the last are missing in {streams} of the streams, up to {periods}. The row after them counts as the next period.',
    '{streams}个序列在首末行之间有缺失，最多{periods}期。其后的一行视为下一期。',
    '{streams}個序列在首末列之間有缺漏，最多{periods}期。其後的一列視為下一期。',
  ),
  no_session: text(
    'Rows on days on which the exchange was closed: {rows}.',
    '{rows}行的日期为休市日。',
    '{rows}列的日期為休市日。',
  ),
  duplicates: text(
    'Lines that repeat a date: {rows}, with other values: {conflicts}. The first of each date counts.',
    '{rows}行的日期重复。以首行为准；其中{conflicts}行数值不同。',
    '{rows}列的日期重複。以首列為準；其中{conflicts}列數值不同。',
  ),
  benchmark_gaps: text(
    'The benchmark lacks periods of {streams} of the streams, up to {periods}. They count as 0.',
    '基准在{streams}个序列中最多缺失{periods}期，按0计。',
    '基準在{streams}個序列中最多缺漏{periods}期，按0計。',
  ),
  risk_free_gaps: text(
    'The risk-free rate lacks periods of {streams} of the streams, up to {nights}. They count as 0.',
    '无风险利率在{streams}个序列中最多缺失{nights}期，按0计。',
    '無風險利率在{streams}個序列中最多缺漏{nights}期，按0計。',
  ),
  percent: text(
    'Returns look like percentages in {streams} of the streams: most are above 5%, or one is below −100%. They are read as fractions.',
    '{streams}个序列疑似百分数：多数收益超过5%，或有收益低于−100%。现按小数读取。',
    '{streams}個序列疑似百分數：多數報酬超過5%，或有報酬低於−100%。現按小數讀取。',
  ),
  equity: text(
    'Values look like equity curves in {streams} of the streams: all are above 0.5. `form=equity` reads them so.',
    '{streams}个序列疑似净值曲线：所有数值均大于0.5。请用`form=equity`读取。',
    '{streams}個序列疑似淨值曲線：所有數值均大於0.5。請用`form=equity`讀取。',
  ),
  empty_streams: text(
    'Columns without a return, which are left out: {streams}.',
    '{streams}列没有收益，已略去。',
    '{streams}欄沒有報酬，已略去。',
  ),
  mixed_frequency: text(
    'The streams have different frequencies, so that they are not compared with each other.',
    '各序列频率不同，因此不相互比较。',
    '各序列頻率不同，因此不相互比較。',
  ),
  few_common: text(
    'Periods that all streams have: {periods}, fewer than half of the longest. The streams are not compared with each other.',
    '所有序列共有{periods}期，不足最长序列的一半，因此不相互比较。',
    '所有序列共有{periods}期，不足最長序列的一半，因此不相互比較。',
  ),
};

const FREQUENCY_TEXTS: Readonly<Record<Frequency, Text>> = {
  day: text('days', '日', '日'),
  week: text('weeks', '周', '週'),
  month: text('months', '月', '月'),
};

const isFrequency = (value: unknown): value is Frequency => typeof value === 'string' && value in FREQUENCY_TEXTS;

export function judgeNoteView({ code, details, streams }: JudgeNote, locale: Locale) {
  const { frequency } = details;
  const worded = isFrequency(frequency) ? { ...details, frequency: FREQUENCY_TEXTS[frequency][locale] } : details;
  const message = fill(NOTE_TEXTS[code][locale], worded);
  return { code, level: JUDGE_NOTES[code], message, details, streams: streams && [...streams] };
}
