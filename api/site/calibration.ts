/** How often verdicts are wrong about strategies without skill: what was recorded (`npm run bench -- --only calibration --record`). */
import { readFile } from 'node:fs/promises';
import { fill, type Locale } from '../http/language/locale.ts';
import { table } from './markdown-table.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';

/** `none`: without the mean of the population. `drift`: as it was. */
export const TRUTHS = ['none', 'drift'] as const;
export const CALIBRATED_YEARS = ['1', '2', '10'] as const;
/** Kinds of rows, in the order of the page: by name, and then alone. */
const KINDS = ['skill', 'search', 'step_m', 'naive'] as const;
const SINGLE = ['together', 'coverage'] as const;
export const POWER_YEARS = ['2', '5', '10'] as const;

/** Shares of the paths, 0 to 1, by years. */
type Shares = Readonly<Record<(typeof CALIBRATED_YEARS)[number], number>>;
type CalibrationOfTruth = Readonly<Record<(typeof KINDS)[number], Readonly<Record<string, Shares>>>> &
  Readonly<Record<(typeof SINGLE)[number], Shares>>;

export interface Calibration {
  /** The day of the commit. */
  readonly date: string;
  readonly commit: string;
  /** Paths of each truth and range. */
  readonly paths: number;
  readonly truths: Readonly<Record<(typeof TRUTHS)[number], CalibrationOfTruth>>;
  /** How often planted skill is shown, by its appraisal ratio a year, and by years. */
  readonly power: Readonly<Record<string, Readonly<Record<(typeof POWER_YEARS)[number], number>>>>;
}

export async function readCalibration(): Promise<Calibration> {
  return JSON.parse(await readFile(new URL('calibration.json', import.meta.url), 'utf8'));
}

const NUMBERS = (count: number) => new Set(Array.from({ length: count }, (_, i) => i + 1));

/** In Markdown. */
export function calibrationText({ date, commit, paths, truths, power }: Calibration, locale: Locale): string {
  const t = (key: SiteText) => siteText(key, locale);
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const cells = (shares: Readonly<Record<string, number>>, years: readonly string[]) =>
    years.map((year) => percent.format(shares[year]));
  const years = (all: readonly string[]) => all.map((count) => fill(t('calibration.years'), { years: count }));
  const ofTruth = (truth: (typeof TRUTHS)[number]) => {
    const found = truths[truth];
    const named = KINDS.flatMap((kind) =>
      Object.entries(found[kind]).map(([name, shares]) => [
        `${t(`calibration.${kind}`)}: ${name}`,
        ...cells(shares, CALIBRATED_YEARS),
      ]),
    );
    const single = SINGLE.map((name) => [t(`calibration.${name}`), ...cells(found[name], CALIBRATED_YEARS)]);
    const head = [t('calibration.answer'), ...years(CALIBRATED_YEARS)];
    return `### ${t(`calibration.truth.${truth}`)}\n\n${table(head, NUMBERS(CALIBRATED_YEARS.length), [...single, ...named])}`;
  };
  const rows = Object.entries(power).map(([appraisal, shares]) => [appraisal, ...cells(shares, POWER_YEARS)]);
  const planted = table([t('calibration.appraisal'), ...years(POWER_YEARS)], NUMBERS(POWER_YEARS.length + 1), rows);
  const about = fill(t('calibration.about'), { date, commit, paths: paths.toLocaleString('en-US') });
  const parts = [about, ...TRUTHS.map(ofTruth), `### ${t('calibration.power')}`, planted];
  return `## ${t('calibration.title')}\n\n${parts.join('\n\n')}`;
}
