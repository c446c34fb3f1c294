/** The names of plans that people read, on the site and in errors. */
import type { Text } from './locale.ts';

export const PLAN_NAMES = {
  guest: { en: 'Guest', 'zh-CN': '访客', 'zh-TW': '訪客' },
  free: { en: 'Free', 'zh-CN': '免费版', 'zh-TW': '免費版' },
  pro: { en: 'Pro', 'zh-CN': '专业版', 'zh-TW': '專業版' },
  enterprise: { en: 'Enterprise', 'zh-CN': '企业版', 'zh-TW': '企業版' },
} satisfies Readonly<Record<string, Text>>;
