/** Kept runs. */
import type { SiteTexts } from './text.ts';

export const RUNS_TEXTS = {
  'page.runs': { en: 'Kept runs', 'zh-CN': '已保存的回测', 'zh-TW': '已保存的回測' },
  'page.runs.description': {
    en: 'The backtests that you have kept.',
    'zh-CN': '您保存的回测。',
    'zh-TW': '您保存的回測。',
  },
  'runs.filter': { en: 'Only of the symbol', 'zh-CN': '仅显示证券', 'zh-TW': '僅顯示證券' },
  'runs.show': { en: 'Show', 'zh-CN': '显示', 'zh-TW': '顯示' },
  'runs.empty': { en: 'Nothing is kept yet', 'zh-CN': '尚无保存的回测', 'zh-TW': '尚無保存的回測' },
  'runs.empty.text': {
    en: 'Run a backtest and press Keep. This one runs at once:',
    'zh-CN': '运行回测并点击“保存”。可以从这个示例开始：',
    'zh-TW': '執行回測並按下「保存」。可以從這個範例開始：',
  },
  'runs.created': { en: 'Kept on', 'zh-CN': '保存时间', 'zh-TW': '保存時間' },
  'runs.of': {
    en: '{shown} of {total}',
    'zh-CN': '共 {total} 条，显示 {shown} 条',
    'zh-TW': '共 {total} 筆，顯示 {shown} 筆',
  },
  'runs.delete': { en: 'Delete', 'zh-CN': '删除', 'zh-TW': '刪除' },
  'runs.delete.title': { en: 'Delete this run?', 'zh-CN': '删除此回测？', 'zh-TW': '刪除此回測？' },
  'runs.delete.sure': {
    en: 'Delete the run {symbol} {strategy}? This cannot be undone, and its link stops working.',
    'zh-CN': '删除回测 {symbol} {strategy}？删除后无法恢复，分享链接也将失效。',
    'zh-TW': '刪除回測 {symbol} {strategy}？刪除後無法復原，分享連結也將失效。',
  },
  'compare.column': { en: 'Compare', 'zh-CN': '对比', 'zh-TW': '比較' },
  'compare.choose': {
    en: 'Compare {symbol} {strategy}, {start} to {end}',
    'zh-CN': '对比 {symbol} {strategy}，{start} 至 {end}',
    'zh-TW': '比較 {symbol} {strategy}，{start} 至 {end}',
  },
  'compare.how': {
    en: 'Mark two to {most} runs to compare them.',
    'zh-CN': '勾选 2 至 {most} 个回测进行对比。',
    'zh-TW': '勾選 2 至 {most} 個回測進行比較。',
  },
  'compare.title': { en: '{count} runs compared', 'zh-CN': '{count} 个回测对比', 'zh-TW': '{count} 個回測比較' },
  'compare.number': { en: 'No. {number}', 'zh-CN': '{number} 号', 'zh-TW': '{number} 號' },
  'compare.chart': {
    en: 'Equity of {count} runs, as a percentage of their start: {names}. The figures are in the table below.',
    'zh-CN': '{count} 个回测的净值（相对各自起点的百分比）：{names}。数据见下表。',
    'zh-TW': '{count} 個回測的淨值（相對各自起點的百分比）：{names}。數據見下表。',
  },
  'compare.figures': { en: 'Figures side by side', 'zh-CN': '指标对比', 'zh-TW': '指標比較' },
  'compare.ranges': {
    en: 'The runs cover different ranges, so their total returns are not comparable; compare the figures per year.',
    'zh-CN': '这些回测的时间范围不同，总收益不可直接比较，请比较年化指标。',
    'zh-TW': '這些回測的時間範圍不同，總報酬不可直接比較，請比較年化指標。',
  },
  'word.name': { en: 'Name', 'zh-CN': '名称', 'zh-TW': '名稱' },
} as const satisfies SiteTexts;
