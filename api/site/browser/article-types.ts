/** The shapes of articles in the API's answers. */
import type { z } from 'zod';
import type { articleItemSchema, articleSchema } from '../../articles/schemas.ts';

export type ArticleItem = z.output<typeof articleItemSchema>;
export type Article = z.output<typeof articleSchema>;
export interface ArticleList {
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly items: readonly ArticleItem[];
}
export const CATEGORIES = [
  'strategy',
  'backtest',
  'data',
  'concept',
] as const satisfies readonly ArticleItem['category'][];
