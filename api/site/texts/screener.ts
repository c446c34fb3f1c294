/** The screener. */
import type { Text } from '../../http/language/locale.ts';

export const SCREENER_TEXTS = {
  'page.screener': { en: 'Screener', 'zh-CN': '选股', 'zh-TW': '選股' },
  'page.screener.description': {
    en: 'Find instruments by conditions on their newest daily bar, over the whole market.',
    'zh-CN': '按最新日线的条件筛选整个市场的证券。',
    'zh-TW': '依最新日線的條件篩選整個市場的證券。',
  },
  'screener.backtest_list': { en: 'Backtest this list', 'zh-CN': '回测此列表', 'zh-TW': '回測此清單' },
  'screener.sweep_list': { en: 'Sweep this list', 'zh-CN': '对此列表批量回测', 'zh-TW': '對此清單批次回測' },
  'screener.presets': { en: 'Ready-made screens', 'zh-CN': '预设', 'zh-TW': '預設' },
  'screener.conditions': { en: 'Conditions', 'zh-CN': '条件', 'zh-TW': '條件' },
  'screener.field': { en: 'Figure', 'zh-CN': '指标', 'zh-TW': '指標' },
  'screener.period': { en: 'Bars', 'zh-CN': '周期（根）', 'zh-TW': '週期（根）' },
  'screener.op': { en: 'Comparison', 'zh-CN': '比较', 'zh-TW': '比較' },
  'screener.value': { en: 'Value', 'zh-CN': '数值', 'zh-TW': '數值' },
  'screener.value2': { en: 'and', 'zh-CN': '至', 'zh-TW': '至' },
  'screener.add': { en: 'Add a condition', 'zh-CN': '添加条件', 'zh-TW': '新增條件' },
  'screener.remove': { en: 'Remove', 'zh-CN': '移除', 'zh-TW': '移除' },
  'screener.as_of': {
    en: 'As of (empty: today)',
    'zh-CN': '截至日期（留空为最新）',
    'zh-TW': '截至日期（留空為最新）',
  },
  'screener.run': { en: 'Screen the market', 'zh-CN': '开始筛选', 'zh-TW': '開始篩選' },
  'screener.found': {
    en: '{total|instrument|instruments} of {eligible}, by the session of {date}',
    'zh-CN': '{eligible} 只中有 {total} 只符合，数据截至 {date}',
    'zh-TW': '{eligible} 檔中有 {total} 檔符合，資料截至 {date}',
  },
  'screener.shown': {
    en: 'The first {shown} are shown.',
    'zh-CN': '显示前 {shown} 只。',
    'zh-TW': '顯示前 {shown} 檔。',
  },
  'screener.funnel': {
    en: 'Instruments left after each condition',
    'zh-CN': '每个条件后剩余',
    'zh-TW': '每個條件後剩餘',
  },
  'screener.entered': { en: 'New since the session before', 'zh-CN': '较前一交易日新进', 'zh-TW': '較前一交易日新進' },
  'screener.left': { en: 'Gone since the session before', 'zh-CN': '较前一交易日移出', 'zh-TW': '較前一交易日移出' },
  'screener.none': { en: 'none', 'zh-CN': '无', 'zh-TW': '無' },
  'screener.nothing': {
    en: 'Nothing meets all conditions. Remove the one that leaves the fewest.',
    'zh-CN': '没有证券满足全部条件。请移除剩余数量最少的条件。',
    'zh-TW': '沒有證券滿足全部條件。請移除剩餘數量最少的條件。',
  },
  'screener.dollar_volume': { en: 'Dollar volume', 'zh-CN': '成交额', 'zh-TW': '成交額' },
} as const satisfies Record<string, Text>;
