/** The shapes of what the back office answers. */
import type { Schema } from '../../clients/typescript/types.ts';

export type AuditEntry = Schema<'AuditEntry'>;
export type AuditVocabulary = Schema<'AuditVocabulary'>;
export type Export = Schema<'Export'>;
export type Comparison = Schema<'Comparison'>;
export type BarDifference = Schema<'BarDifference'>;
export type Overview = Schema<'StatsOverview'>;
export type AdminUser = Schema<'AdminUser'>;
export type UserDetail = Schema<'AdminUserDetail'>;
export type ArticleGroupItem = Schema<'ArticleGroupItem'>;
export type ArticleGroup = Schema<'ArticleGroup'>;

export interface Listed<Item> {
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly items: readonly Item[];
}

/** The last comparisons, and the providers to compare with. */
export interface Comparisons extends Listed<Comparison> {
  readonly providers: readonly string[];
}
