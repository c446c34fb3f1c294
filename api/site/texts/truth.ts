/** Texts of the page of figures of other programs. */
import type { Text } from '../../http/language/locale.ts';

export const TRUTH_TEXTS = {
  'page.truth': { en: 'Judged by others', 'zh-CN': '由他人检验', 'zh-TW': '由他人檢驗' },
  'page.truth.description': {
    en: 'Our figures beside those of TA-Lib, LEAN, DuckDB, and others: what agrees, and why the rest differs.',
    'zh-CN': '本服务的数值与TA-Lib、LEAN、DuckDB等程序逐一对照：哪些一致，其余为何不同。',
    'zh-TW': '本服務的數值與TA-Lib、LEAN、DuckDB等程式逐一對照：哪些一致，其餘為何不同。',
  },
  'truth.counts': {
    en: '{figures} figures of {suites} suites: {agreed} agree, {explained} differ for a reason given below. Computed on {date} by commit `{commit}`.',
    'zh-CN':
      '{suites}组测试共{figures}个数值：{agreed}个一致，{explained}个不同，原因见下文。计算于{date}，提交`{commit}`。',
    'zh-TW':
      '{suites}組測試共{figures}個數值：{agreed}個一致，{explained}個不同，原因見下文。計算於{date}，提交`{commit}`。',
  },
  'truth.share': {
    en: 'A difference is a share of the figure, or of 1 where the figure is smaller.',
    'zh-CN': '差异为其占该数值的比例；数值小于1时为占1的比例。',
    'zh-TW': '差異為其占該數值的比例；數值小於1時為占1的比例。',
  },
  'truth.suite': { en: 'Source', 'zh-CN': '来源', 'zh-TW': '來源' },
  'truth.compares': { en: 'Compared', 'zh-CN': '对照内容', 'zh-TW': '對照內容' },
  'truth.figures': { en: 'Figures', 'zh-CN': '数值', 'zh-TW': '數值' },
  'truth.agreed': { en: 'Agree', 'zh-CN': '一致', 'zh-TW': '一致' },
  'truth.explained': { en: 'Explained', 'zh-CN': '已说明', 'zh-TW': '已說明' },
  'truth.largest': { en: 'Largest difference', 'zh-CN': '最大差异', 'zh-TW': '最大差異' },
  'truth.differences': { en: 'What differs, and why', 'zh-CN': '不同之处及原因', 'zh-TW': '不同之處及原因' },
  'truth.difference': {
    en: '{count} of its figures, by at most {largest}',
    'zh-CN': '{count}个数值，至多相差{largest}',
    'zh-TW': '{count}個數值，至多相差{largest}',
  },
  'truth.difference.no_size': { en: '{count} of its figures', 'zh-CN': '{count}个数值', 'zh-TW': '{count}個數值' },
  'truth.peers': { en: 'Other backtesters', 'zh-CN': '其他回测程序', 'zh-TW': '其他回測程式' },
  'truth.peers.when': {
    en: 'The same bars and rules, side by side on one machine ({machine}): {instruments} instruments of the sample market over {years} years. Computed on {date} by commit `{commit}`.',
    'zh-CN':
      '相同的K线与规则，在同一台机器（{machine}）上对照运行：示例市场的{instruments}个标的，{years}年。计算于{date}，提交`{commit}`。',
    'zh-TW':
      '相同的K線與規則，在同一台機器（{machine}）上對照執行：範例市場的{instruments}個標的，{years}年。計算於{date}，提交`{commit}`。',
  },
  'truth.peers.program': { en: 'Program', 'zh-CN': '程序', 'zh-TW': '程式' },
  'truth.peers.strategy': { en: 'Strategy', 'zh-CN': '策略', 'zh-TW': '策略' },
  'truth.peers.fills': { en: 'Fills', 'zh-CN': '成交', 'zh-TW': '成交' },
  'truth.peers.fill.close': { en: 'close', 'zh-CN': '收盘价', 'zh-TW': '收盤價' },
  'truth.peers.fill.next_open': { en: 'next open', 'zh-CN': '次日开盘价', 'zh-TW': '次日開盤價' },
  'truth.peers.costs': { en: 'Costs', 'zh-CN': '费用', 'zh-TW': '費用' },
  'truth.peers.costs.none': { en: 'none', 'zh-CN': '无', 'zh-TW': '無' },
  'truth.peers.costs.commission': { en: 'commission', 'zh-CN': '佣金', 'zh-TW': '手續費' },
  'truth.peers.trades': { en: 'Trades', 'zh-CN': '交易', 'zh-TW': '交易' },
  'truth.peers.equal': { en: 'Equal', 'zh-CN': '相同', 'zh-TW': '相同' },
  'truth.peers.returns': { en: 'Returns differ by', 'zh-CN': '收益差异', 'zh-TW': '報酬差異' },
  'truth.peers.ratios': {
    en: 'Time and memory of the program by ours: above 1 × ours is faster, or smaller. Its start and the compilation of its kernels are left out.',
    'zh-CN': '该程序的耗时与内存除以本服务的：大于1 × 即本服务更快或更省。不含启动与内核编译。',
    'zh-TW': '該程式的耗時與記憶體除以本服務的：大於1 × 即本服務更快或更省。不含啟動與核心編譯。',
  },
  'truth.peers.oneRun': { en: 'One run', 'zh-CN': '单次回测', 'zh-TW': '單次回測' },
  'truth.peers.thousandRuns': { en: '1,000 runs', 'zh-CN': '1,000次回测', 'zh-TW': '1,000次回測' },
  'truth.peers.sweep': { en: 'Sweep', 'zh-CN': '参数扫描', 'zh-TW': '參數掃描' },
  'truth.peers.memory': { en: 'Memory', 'zh-CN': '内存', 'zh-TW': '記憶體' },
} as const satisfies Record<string, Text>;
