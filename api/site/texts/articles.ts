/** Articles, their list, and pages of lists. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const ARTICLE_TEXTS = {
  'nav.articles': text('Articles', '文章', '文章'),
  'page.articles': text('Articles', '文章', '文章'),
  'page.articles.description': text(
    'Strategies, backtests, data, and their terms explained.',
    '讲解策略、回测、数据及其术语。',
    '講解策略、回測、資料及其術語。',
  ),
  'page.article': text('Article', '文章', '文章'),
  'articles.category': text('Category', '分类', '分類'),
  'article.category.all': text('All', '全部', '全部'),
  'article.category.strategy': text('Strategies', '策略', '策略'),
  'article.category.backtest': text('Backtests', '回测', '回測'),
  'article.category.data': text('Data', '数据', '資料'),
  'article.category.concept': text('Concepts', '概念', '概念'),
  'articles.none': text('There are no articles here yet', '这里还没有文章', '這裡還沒有文章'),
  'articles.none.text': text(
    'The API documentation explains every call with an example.',
    'API文档以示例说明每个调用。',
    'API文件以範例說明每個呼叫。',
  ),
  'articles.show_all': text('Show all categories', '显示全部分类', '顯示全部分類'),
  'article.other_language': text(
    'This article is not translated into English. It is shown in Chinese.',
    '本文没有简体中文版本，以下以其他语言显示。',
    '本文沒有繁體中文版本，以下為簡體中文原文。',
  ),
  'article.updated': text('updated {date}', '更新于{date}', '更新於{date}'),
  'article.neighbors': text('Other articles', '其他文章', '其他文章'),
  'article.newer': text('Newer', '较新', '較新'),
  'article.older': text('Older', '较早', '較早'),
  'article.none': text('There is no such article', '没有这篇文章', '沒有這篇文章'),
  'article.none.text': text(
    'It may have been unpublished, or it is published in another language only.',
    '文章可能已撤回，或仅以其他语言发布。',
    '文章可能已撤回，或僅以其他語言發布。',
  ),
  'article.all': text('All articles', '全部文章', '全部文章'),
  'paging.label': text('Pages', '页码', '頁次'),
  'paging.before': text('Previous', '上一页', '上一頁'),
  'paging.after': text('Next', '下一页', '下一頁'),
  'paging.place': text(
    'Page {page} of {last}, {total} in all',
    '第{page}/{last}页，共{total}条',
    '第{page}/{last}頁，共{total}筆',
  ),
} as const satisfies Record<string, Text>;
