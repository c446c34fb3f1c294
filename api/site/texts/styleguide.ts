/** The page that shows the look of the site. */
import type { Text } from '../../http/language/locale.ts';

export const STYLEGUIDE_TEXTS = {
  'page.styleguide': { en: 'Style guide', 'zh-CN': '样式指南', 'zh-TW': '樣式指南' },
  'page.styleguide.description': {
    en: 'Type, space, colors, controls, tables, and states of the site',
    'zh-CN': '本站的字体、间距、颜色、控件、表格与状态',
    'zh-TW': '本站的字型、間距、顏色、控制項、表格與狀態',
  },
  'styleguide.type': { en: 'Type', 'zh-CN': '字体', 'zh-TW': '字型' },
  'styleguide.sample': { en: 'Bought 8 times', 'zh-CN': '买入8次', 'zh-TW': '買進8次' },
  'styleguide.space': { en: 'Space', 'zh-CN': '间距', 'zh-TW': '間距' },
  'styleguide.colors': { en: 'Colors', 'zh-CN': '颜色', 'zh-TW': '顏色' },
  'styleguide.controls': { en: 'Controls', 'zh-CN': '控件', 'zh-TW': '控制項' },
  'styleguide.main': { en: 'Keep', 'zh-CN': '保存', 'zh-TW': '儲存' },
  'styleguide.other': { en: 'Share', 'zh-CN': '分享', 'zh-TW': '分享' },
  'styleguide.danger': { en: 'Delete', 'zh-CN': '删除', 'zh-TW': '刪除' },
  'styleguide.off': { en: 'Kept', 'zh-CN': '已保存', 'zh-TW': '已儲存' },
  'styleguide.quiet': { en: 'All columns', 'zh-CN': '全部列', 'zh-TW': '所有欄' },
  'styleguide.number': { en: 'Channel, bars', 'zh-CN': '通道（根）', 'zh-TW': '通道（根）' },
  'styleguide.fault': { en: 'A value that is refused', 'zh-CN': '不接受的值', 'zh-TW': '不接受的值' },
  'styleguide.box': { en: 'On', 'zh-CN': '开启', 'zh-TW': '開啟' },
  'styleguide.figures': { en: 'Figures', 'zh-CN': '指标', 'zh-TW': '指標' },
  'styleguide.counterpart': { en: 'holding +71.8%', 'zh-CN': '持有+71.8%', 'zh-TW': '持有+71.8%' },
  'styleguide.table': { en: 'A table', 'zh-CN': '表格', 'zh-TW': '表格' },
  'styleguide.instrument': { en: 'Ticker', 'zh-CN': '代码', 'zh-TW': '代號' },
  'styleguide.states': { en: 'States', 'zh-CN': '状态', 'zh-TW': '狀態' },
  'styleguide.notice': { en: 'Something to know.', 'zh-CN': '需要知道的事。', 'zh-TW': '需要知道的事。' },
  'styleguide.warning': { en: 'Something to do.', 'zh-CN': '需要处理的事。', 'zh-TW': '需要處理的事。' },
} as const satisfies Record<string, Text>;
