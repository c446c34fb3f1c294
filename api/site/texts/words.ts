/** Words and buttons that several pages share. */
import type { SiteTexts } from './text.ts';

export const WORD_TEXTS = {
  'plan.guest': { en: 'Guest', 'zh-CN': '访客', 'zh-TW': '訪客' },
  'plan.free': { en: 'Free', 'zh-CN': '免费版', 'zh-TW': '免費版' },
  'plan.pro': { en: 'Pro', 'zh-CN': '专业版', 'zh-TW': '專業版' },
  'plan.enterprise': { en: 'Enterprise', 'zh-CN': '企业版', 'zh-TW': '企業版' },
  'basis.consolidated': { en: 'Consolidated', 'zh-CN': '全市场', 'zh-TW': '全市場' },
  'basis.primary_session': { en: 'Primary session', 'zh-CN': '主要时段', 'zh-TW': '主要時段' },
  'basis.single_venue': { en: 'Single venue', 'zh-CN': '单一交易所', 'zh-TW': '單一交易所' },
  'word.cancel': { en: 'Cancel', 'zh-CN': '取消', 'zh-TW': '取消' },
  'word.copy': { en: 'Copy', 'zh-CN': '复制', 'zh-TW': '複製' },
  'word.copied': { en: 'Copied', 'zh-CN': '已复制', 'zh-TW': '已複製' },
  'word.date': { en: 'Date', 'zh-CN': '日期', 'zh-TW': '日期' },
  'word.open': { en: 'Open', 'zh-CN': '开盘', 'zh-TW': '開盤' },
  'word.high': { en: 'High', 'zh-CN': '最高', 'zh-TW': '最高' },
  'word.low': { en: 'Low', 'zh-CN': '最低', 'zh-TW': '最低' },
  'word.close_price': { en: 'Close', 'zh-CN': '收盘', 'zh-TW': '收盤' },
  'word.volume': { en: 'Volume', 'zh-CN': '成交量', 'zh-TW': '成交量' },
  'word.change': { en: 'Change', 'zh-CN': '涨跌幅', 'zh-TW': '漲跌幅' },
  'table.sort': { en: 'Sort by {column}', 'zh-CN': '按{column}排序', 'zh-TW': '依{column}排序' },
  'table.empty': { en: 'No rows', 'zh-CN': '没有数据', 'zh-TW': '沒有資料' },
  'table.more': {
    en: 'Show more ({count} of {total})',
    'zh-CN': '显示更多（{count}/{total}）',
    'zh-TW': '顯示更多（{count}/{total}）',
  },
  'chart.table': { en: 'Show as a table', 'zh-CN': '以表格显示', 'zh-TW': '以表格顯示' },
  'chart.basis_change': {
    en: 'consolidated from here',
    'zh-CN': '此后为全市场数据',
    'zh-TW': '此後為全市場資料',
  },
  'chart.gap': { en: 'no bars', 'zh-CN': '无数据', 'zh-TW': '無資料' },
} as const satisfies SiteTexts;
