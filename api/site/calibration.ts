/** How often verdicts are wrong about strategies without skill: what was recorded (`npm run bench -- --only calibration --record`). */
import { readFile } from 'node:fs/promises';
import { SENTENCE_KEYS } from '../../engine/tear-sheet/sentence.ts';
import { text } from '../../engine/util/localized-text.ts';
import { fill, type Locale, type Text } from '../http/language/locale.ts';
import { verdictPattern } from '../runs/verdict-texts.ts';
import { table } from './markdown-table.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';

/** In Markdown. */
export async function verdictsText(locale: Locale): Promise<string> {
  const head = [siteText('verdicts.when', locale), siteText('verdicts.sentence', locale)];
  const rows = SENTENCE_KEYS.map((key) => [siteText(`verdict.${key}`, locale), verdictPattern(key, locale)]);
  const calibration = calibrationText(await readCalibration(), locale);
  return `${siteText('verdicts.about', locale)}\n\n${table(head, new Set(), rows)}\n\n${calibration}\n`;
}

/** `none`: without the mean of the population. `drift`: as it was. */
export const TRUTHS = ['none', 'drift'] as const;
export const CALIBRATED_YEARS = ['1', '2', '10'] as const;
/** Kinds of rows, in the order of the page: by name, and then alone. */
const KINDS = ['skill', 'search', 'step_m', 'naive'] as const;
/** Those that claim something. */
const CLAIMS = ['skill', 'search', 'step_m'] as const satisfies readonly (typeof KINDS)[number][];
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
  /** How often a difference after hits is called, of conditions that know nothing of what follows. */
  readonly outcomes: {
    readonly date: string;
    readonly commit: string;
    /** The conditions of each kind. */
    readonly conditions: number;
    /** By kind, and by sessions after a hit: shares of the conditions, 0 to 1. */
    readonly called: Readonly<
      Record<(typeof TRUTHS)[number], Readonly<Record<string, Readonly<Record<string, number>>>>>
    >;
  };
  /** How often growth after a seal stays inside the 90 % band, of rules without skill. */
  readonly forward: {
    readonly date: string;
    readonly commit: string;
    readonly records: number;
    /** Shares of the records after 250 sessions, 0 to 1. */
    readonly inside: Readonly<Record<(typeof TRUTHS)[number], number>>;
  };
  /** How often planted skill is shown, by its appraisal ratio a year, and by years. */
  readonly power: Readonly<Record<string, Readonly<Record<(typeof POWER_YEARS)[number], number>>>>;
}

export async function readCalibration(): Promise<Calibration> {
  return JSON.parse(await readFile(new URL('calibration.json', import.meta.url), 'utf8'));
}

/** Rules that are told in words; the others are called as in the interface. */
const RULES: Readonly<Record<string, Text>> = {
  'entries at random': text('entries at random', '随机入场', '隨機進場'),
  'Mondays and Tuesdays': text('Mondays and Tuesdays', '周一与周二', '週一與週二'),
  'Thursdays and Fridays': text('Thursdays and Fridays', '周四与周五', '週四與週五'),
  'rsi_reversion without trend': text(
    'rsi_reversion without trend',
    'rsi_reversion（无趋势过滤）',
    'rsi_reversion（無趨勢過濾）',
  ),
  'holding at the next open': text('holding from the next open', '次日开盘买入并持有', '次日開盤買入並持有'),
  'rotation: momentum': text('rotation by momentum', '轮动（动量）', '輪動（動量）'),
  'rotation: reverse momentum': text('rotation by reverse momentum', '轮动（反向动量）', '輪動（反向動量）'),
  'rotation: names at random': text('rotation of names at random', '轮动（随机选股）', '輪動（隨機選股）'),
};

const ruleName = (name: string, locale: Locale) => RULES[name]?.[locale] ?? name;

/** Kinds of conditions. */
const CONDITIONS: Readonly<Record<string, Text>> = {
  'entries at random, one name': text('entries at random, one instrument', '随机入场，单只证券', '隨機進場，單檔證券'),
  'entries at random, all names': text(
    'entries at random, all instruments',
    '随机入场，全部证券',
    '隨機進場，全部證券',
  ),
  'beginnings of states, one name': text(
    'beginnings of states of a random walk, one instrument',
    '随机游走状态的开始，单只证券',
    '隨機漫步狀態的開始，單檔證券',
  ),
  'beginnings of states, all names': text(
    'beginnings of states of random walks, all instruments',
    '随机游走状态的开始，全部证券',
    '隨機漫步狀態的開始，全部證券',
  ),
  'states, one name': text(
    'every session of such a state, one instrument',
    '该状态的每个交易日，单只证券',
    '該狀態的每個交易日，單檔證券',
  ),
  'states, all names': text(
    'every session of such states, all instruments',
    '该状态的每个交易日，全部证券',
    '該狀態的每個交易日，全部證券',
  ),
};

/** No single rule should claim more often. */
const MOST_OF_A_RULE = 0.08;

const NUMBERS = (count: number) => new Set(Array.from({ length: count }, (_, i) => i + 1));

/** In Markdown. */
export function calibrationText(
  { date, commit, paths, truths, power, outcomes, forward }: Calibration,
  locale: Locale,
): string {
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
        `${t(`calibration.${kind}`)}${t('calibration.colon')}${ruleName(name, locale)}`,
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
  const missed = TRUTHS.flatMap((truth) =>
    CLAIMS.flatMap((kind) =>
      Object.entries(truths[truth][kind]).flatMap(([name, shares]) =>
        CALIBRATED_YEARS.filter((year) => shares[year] > MOST_OF_A_RULE).map(
          (year) =>
            `${ruleName(name, locale)} (${t(`calibration.truth.${truth}`)}, ${fill(t('calibration.years'), { years: year })}, ${percent.format(shares[year])})`,
        ),
      ),
    ),
  );
  const above = missed.length === 0 ? [] : [fill(t('calibration.missed'), { rules: missed.join('; ') })];
  const parts = [about, ...above, ...TRUTHS.map(ofTruth), `### ${t('calibration.power')}`, planted];
  parts.push(`### ${t('page.outcomes')}`, ...outcomesParts(outcomes, locale, (share) => percent.format(share)));
  const { none, drift } = forward.inside;
  const shares = { none: percent.format(none), drift: percent.format(drift) };
  const records = forward.records.toLocaleString('en-US');
  parts.push(
    `### ${t('page.forward')}`,
    fill(t('calibration.forward'), { date: forward.date, commit: forward.commit, records, ...shares }),
  );
  return `## ${t('calibration.title')}\n\n${parts.join('\n\n')}`;
}

/** Shares of conditions without skill that may be called. */
const [FEWEST_CALLED, MOST_CALLED] = [0.03, 0.08];

function outcomesParts(
  { date, commit, conditions, called }: Calibration['outcomes'],
  locale: Locale,
  percent: (share: number) => string,
): string[] {
  const t = (key: SiteText) => siteText(key, locale);
  const nameOf = (kind: string) => CONDITIONS[kind]?.[locale] ?? kind;
  const later = (horizon: string) => fill(t('calibration.sessions'), { count: horizon });
  const truths = TRUTHS.map((truth) => {
    const kinds = Object.entries(called[truth]);
    const horizons = [...new Set(kinds.flatMap(([, shares]) => Object.keys(shares)))];
    const head = [`${t('form.condition')}${t('calibration.colon')}${t(`calibration.truth.${truth}`)}`];
    const rows = kinds.map(([kind, shares]) => [nameOf(kind), ...horizons.map((horizon) => percent(shares[horizon]))]);
    return table([...head, ...horizons.map(later)], NUMBERS(horizons.length), rows);
  });
  const missed = Object.entries(called.none).flatMap(([kind, shares]) =>
    Object.entries(shares)
      .filter(([, share]) => share < FEWEST_CALLED || share > MOST_CALLED)
      .map(([horizon, share]) => `${nameOf(kind)} (${later(horizon)}, ${percent(share)})`),
  );
  const about = fill(t('calibration.outcomes'), { date, commit, conditions: conditions.toLocaleString('en-US') });
  const outside = missed.length === 0 ? [] : [fill(t('calibration.outside'), { kinds: missed.join('; ') })];
  return [about, ...outside, ...truths];
}
