/** Texts of the page of figures of other programs. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const TRUTH_TEXTS = {
  'page.truth': text('Judged by others', '由他人检验', '由他人檢驗'),
  'page.truth.description': text(
    'Our figures beside those of TA-Lib, LEAN, DuckDB, and others: what agrees, and why the rest differs.',
    '本服务的数值与TA-Lib、LEAN、DuckDB等程序逐一对照：哪些一致，其余为何不同。',
    '本服務的數值與TA-Lib、LEAN、DuckDB等程式逐一對照：哪些一致，其餘為何不同。',
  ),
  'truth.counts': text(
    '{figures} figures of {suites} suites: {agreed} agree, {explained} differ for a reason given below. Computed on {date} by commit `{commit}`.',
    '{suites}组测试共{figures}个数值：{agreed}个一致，{explained}个不同，原因见下文。计算于{date}，提交`{commit}`。',
    '{suites}組測試共{figures}個數值：{agreed}個一致，{explained}個不同，原因見下文。計算於{date}，提交`{commit}`。',
  ),
  'truth.share': text(
    'A difference is a share of the figure, or of 1 where the figure is smaller.',
    '差异为其占该数值的比例；数值小于1时为占1的比例。',
    '差異為其占該數值的比例；數值小於1時為占1的比例。',
  ),
  'truth.suite': text('Source', '来源', '來源'),
  'truth.compares': text('Compared', '对照内容', '對照內容'),
  'truth.figures': text('Figures', '数值', '數值'),
  'truth.agreed': text('Agree', '一致', '一致'),
  'truth.explained': text('Explained', '已说明', '已說明'),
  'truth.largest': text('Largest difference', '最大差异', '最大差異'),
  'truth.differences': text('What differs, and why', '不同之处及原因', '不同之處及原因'),
  'truth.difference': text(
    '{count} of its figures, by at most {largest}',
    '{count}个数值，至多相差{largest}',
    '{count}個數值，至多相差{largest}',
  ),
  'truth.difference.no_size': text('{count} of its figures', '{count}个数值', '{count}個數值'),
  'truth.peers': text('Other backtesters', '其他回测程序', '其他回測程式'),
  'truth.peers.when': text(
    'The same bars and rules, side by side on one machine ({machine}): {instruments} instruments of the sample market over {years} years. Computed on {date} by commit `{commit}`.',
    '相同的K线与规则，在同一台机器（{machine}）上对照运行：示例市场的{instruments}个标的，{years}年。计算于{date}，提交`{commit}`。',
    '相同的K線與規則，在同一台機器（{machine}）上對照執行：範例市場的{instruments}個標的，{years}年。計算於{date}，提交`{commit}`。',
  ),
  'truth.peers.program': text('Program', '程序', '程式'),
  'truth.peers.strategy': text('Strategy', '策略', '策略'),
  'truth.peers.fills': text('Fills', '成交', '成交'),
  'truth.peers.fill.close': text('close', '收盘价', '收盤價'),
  'truth.peers.fill.next_open': text('next open', '次日开盘价', '次日開盤價'),
  'truth.peers.costs': text('Costs', '费用', '費用'),
  'truth.peers.costs.none': text('none', '无', '無'),
  'truth.peers.costs.commission': text('commission', '佣金', '手續費'),
  'truth.peers.trades': text('Trades', '交易', '交易'),
  'truth.peers.equal': text('Equal', '相同', '相同'),
  'truth.peers.returns': text('Returns differ by', '收益差异', '報酬差異'),
  'truth.peers.ratios': text(
    'Time and memory of the program by ours: above 1 × ours is faster, or smaller. Its start and the compilation of its kernels are left out.',
    '该程序的耗时与内存除以本服务的：大于1 × 即本服务更快或更省。不含启动与内核编译。',
    '該程式的耗時與記憶體除以本服務的：大於1 × 即本服務更快或更省。不含啟動與核心編譯。',
  ),
  'truth.peers.oneRun': text('One run', '单次回测', '單次回測'),
  'truth.peers.thousandRuns': text('1,000 runs', '1,000次回测', '1,000次回測'),
  'truth.peers.sweep': text('Sweep', '参数扫描', '參數掃描'),
  'truth.peers.memory': text('Memory', '内存', '記憶體'),
} as const satisfies Record<string, Text>;
