/** The names of plans that people read, on the site and in errors. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from './locale.ts';

export const PLAN_NAMES = {
  guest: text('Guest', '访客', '訪客'),
  free: text('Free', '免费版', '免費版'),
  pro: text('Pro', '专业版', '專業版'),
  enterprise: text('Enterprise', '企业版', '企業版'),
} satisfies Readonly<Record<string, Text>>;
