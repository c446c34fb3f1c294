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
    en: 'Delete the run {symbol} {strategy}? It cannot be brought back, and its link ends.',
    'zh-CN': '删除回测 {symbol} {strategy}？删除后无法恢复，分享链接也将失效。',
    'zh-TW': '刪除回測 {symbol} {strategy}？刪除後無法復原，分享連結也將失效。',
  },
  'word.name': { en: 'Name', 'zh-CN': '名称', 'zh-TW': '名稱' },
} as const satisfies SiteTexts;
