/** The shapes of articles in the API's answers. */
import type { Schema } from '../../clients/typescript/types.ts';

export type ArticleItem = Schema<'ArticleItem'>;
export type Article = Schema<'Article'>;
export type ArticleList = Schema<'ArticleItemList'>;
export type ArticlePreview = Schema<'PreviewArticleData'>;
export const CATEGORIES = [
  'strategy',
  'backtest',
  'data',
  'concept',
] as const satisfies readonly ArticleItem['category'][];
