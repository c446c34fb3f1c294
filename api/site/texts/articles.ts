/** Articles, their list, and pages of lists. */
import type { Text } from '../../http/language/locale.ts';

export const ARTICLE_TEXTS = {
  'nav.articles': { en: 'Articles', 'zh-CN': '文章', 'zh-TW': '文章' },
  'page.articles': { en: 'Articles', 'zh-CN': '文章', 'zh-TW': '文章' },
  'page.articles.description': {
    en: 'Strategies, backtests, data, and their terms explained.',
    'zh-CN': '讲解策略、回测、数据及其术语。',
    'zh-TW': '講解策略、回測、資料及其術語。',
  },
  'page.article': { en: 'Article', 'zh-CN': '文章', 'zh-TW': '文章' },
  'articles.title': { en: 'Articles', 'zh-CN': '文章', 'zh-TW': '文章' },
  'articles.category': { en: 'Category', 'zh-CN': '分类', 'zh-TW': '分類' },
  'article.category.all': { en: 'All', 'zh-CN': '全部', 'zh-TW': '全部' },
  'article.category.strategy': { en: 'Strategies', 'zh-CN': '策略', 'zh-TW': '策略' },
  'article.category.backtest': { en: 'Backtests', 'zh-CN': '回测', 'zh-TW': '回測' },
  'article.category.data': { en: 'Data', 'zh-CN': '数据', 'zh-TW': '資料' },
  'article.category.concept': { en: 'Concepts', 'zh-CN': '概念', 'zh-TW': '概念' },
  'articles.none': { en: 'There are no articles here yet', 'zh-CN': '这里还没有文章', 'zh-TW': '這裡還沒有文章' },
  'articles.none.text': {
    en: 'The API documentation explains every call with an example.',
    'zh-CN': 'API文档以示例说明每个调用。',
    'zh-TW': 'API文件以範例說明每個呼叫。',
  },
  'articles.show_all': { en: 'Show all categories', 'zh-CN': '显示全部分类', 'zh-TW': '顯示全部分類' },
  'article.other_language': {
    en: 'This article is not translated into English. It is shown in Chinese.',
    'zh-CN': '本文没有简体中文版本，以下以其他语言显示。',
    'zh-TW': '本文沒有繁體中文版本，以下為簡體中文原文。',
  },
  'article.updated': { en: 'updated {date}', 'zh-CN': '更新于{date}', 'zh-TW': '更新於{date}' },
  'article.neighbors': { en: 'Other articles', 'zh-CN': '其他文章', 'zh-TW': '其他文章' },
  'article.newer': { en: 'Newer', 'zh-CN': '较新', 'zh-TW': '較新' },
  'article.older': { en: 'Older', 'zh-CN': '较早', 'zh-TW': '較早' },
  'article.none': { en: 'There is no such article', 'zh-CN': '没有这篇文章', 'zh-TW': '沒有這篇文章' },
  'article.none.text': {
    en: 'It may have been unpublished, or it is published in another language only.',
    'zh-CN': '文章可能已撤回，或仅以其他语言发布。',
    'zh-TW': '文章可能已撤回，或僅以其他語言發布。',
  },
  'article.all': { en: 'All articles', 'zh-CN': '全部文章', 'zh-TW': '全部文章' },
  'paging.label': { en: 'Pages', 'zh-CN': '页码', 'zh-TW': '頁次' },
  'paging.before': { en: 'Previous', 'zh-CN': '上一页', 'zh-TW': '上一頁' },
  'paging.after': { en: 'Next', 'zh-CN': '下一页', 'zh-TW': '下一頁' },
  'paging.place': {
    en: 'Page {page} of {last}, {total} in all',
    'zh-CN': '第{page}/{last}页，共{total}条',
    'zh-TW': '第{page}/{last}頁，共{total}筆',
  },
} as const satisfies Record<string, Text>;
