/** The frame around every page. */
import type { SiteTexts } from './text.ts';

export const SHELL_TEXTS = {
  'nav.research': { en: 'Research', 'zh-CN': '研究', 'zh-TW': '研究' },
  'nav.help': { en: 'Help', 'zh-CN': '帮助', 'zh-TW': '說明' },
  'nav.home': { en: 'Overview', 'zh-CN': '首页', 'zh-TW': '首頁' },
  'nav.docs': { en: 'API', 'zh-CN': 'API', 'zh-TW': 'API' },
  'nav.account': { en: 'Account', 'zh-CN': '账户', 'zh-TW': '帳戶' },
  'shell.skip': { en: 'Skip to the content', 'zh-CN': '跳到正文', 'zh-TW': '跳至內容' },
  'shell.site': { en: 'Site', 'zh-CN': '站点', 'zh-TW': '網站' },
  'shell.tools': { en: 'Tools', 'zh-CN': '工具', 'zh-TW': '工具' },
  'shell.menu': { en: 'Menu', 'zh-CN': '菜单', 'zh-TW': '選單' },
  'shell.look': { en: 'Display', 'zh-CN': '显示', 'zh-TW': '顯示' },
  'shell.language': { en: 'Language', 'zh-CN': '语言', 'zh-TW': '語言' },
  'shell.theme': { en: 'Theme', 'zh-CN': '主题', 'zh-TW': '佈景主題' },
  'shell.theme.system': { en: 'As the system', 'zh-CN': '跟随系统', 'zh-TW': '依系統設定' },
  'shell.theme.light': { en: 'Light', 'zh-CN': '浅色', 'zh-TW': '淺色' },
  'shell.theme.dark': { en: 'Dark', 'zh-CN': '深色', 'zh-TW': '深色' },
  'shell.gains': { en: 'Colors of gains', 'zh-CN': '涨跌颜色', 'zh-TW': '漲跌顏色' },
  'shell.gains.green': { en: 'Green up, red down', 'zh-CN': '绿涨红跌', 'zh-TW': '綠漲紅跌' },
  'shell.gains.red': { en: 'Red up, green down', 'zh-CN': '红涨绿跌', 'zh-TW': '紅漲綠跌' },
  'shell.sign_in': { en: 'Sign in', 'zh-CN': '登录', 'zh-TW': '登入' },
  'shell.disclaimer': {
    en: 'For research only: no investment advice, no orders.',
    'zh-CN': '仅供研究：不构成投资建议，不提供下单。',
    'zh-TW': '僅供研究：不構成投資建議，亦不提供下單。',
  },
  'shell.charts_by': {
    en: 'Charts: TradingView Lightweight Charts™',
    'zh-CN': '图表：TradingView Lightweight Charts™',
    'zh-TW': '圖表：TradingView Lightweight Charts™',
  },
  'shell.no_script': {
    en: 'This page needs JavaScript. Programs get the same figures from the API.',
    'zh-CN': '此页面需要 JavaScript。程序可通过 API 获取相同数据。',
    'zh-TW': '此頁面需要 JavaScript。程式可透過 API 取得相同資料。',
  },
  'search.label': { en: 'Search symbols', 'zh-CN': '搜索证券', 'zh-TW': '搜尋證券' },
  'search.placeholder': { en: 'Ticker or name', 'zh-CN': '代码或名称', 'zh-TW': '代號或名稱' },
  'search.nothing': {
    en: 'Nothing matches “{text}”',
    'zh-CN': '没有与“{text}”匹配的结果',
    'zh-TW': '沒有符合「{text}」的結果',
  },
  'search.delisted': { en: 'delisted {date}', 'zh-CN': '{date} 退市', 'zh-TW': '{date} 下市' },
  'search.failed': { en: 'The search does not answer', 'zh-CN': '搜索暂无响应', 'zh-TW': '搜尋暫無回應' },
  'search.count': { en: '{count|match|matches}', 'zh-CN': '{count} 个结果', 'zh-TW': '{count} 筆結果' },
} as const satisfies SiteTexts;
