/** How often verdicts are wrong about strategies without skill: what was recorded (`npm run bench -- --only calibration --record`). */
import { readFile } from 'node:fs/promises';
import { fill, type Locale } from '../http/language/locale.ts';
import { table } from './markdown-table.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';

/** In the order of the page. */
export const CALIBRATED = [
  'naive_best_sharpe',
  'sharpe_shown',
  'dsr',
  'spa',
  'step_m',
  'haircut_bonferroni',
  'haircut_holm',
  'haircut_bhy',
  'entries_better',
  'interval_coverage',
] as const;

export interface Calibration {
  /** The day of the commit. */
  readonly date: string;
  readonly commit: string;
  /** Shares of the searches, 0 to 1. */
  readonly shares: Readonly<Record<(typeof CALIBRATED)[number], number>>;
}

export async function readCalibration(): Promise<Calibration> {
  return JSON.parse(await readFile(new URL('calibration.json', import.meta.url), 'utf8'));
}

/** In Markdown. */
export function calibrationText({ date, commit, shares }: Calibration, locale: Locale): string {
  const t = (key: SiteText) => siteText(key, locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1 });
  const rows = CALIBRATED.map((name) => [t(`calibration.${name}`), percent.format(shares[name])]);
  const head = [t('calibration.answer'), t('calibration.share')];
  const about = fill(t('calibration.about'), { date, commit });
  return `## ${t('calibration.title')}\n\n${about}\n\n${table(head, new Set([1]), rows)}`;
}
