/** The site's texts and figures in the language of the page. */
import type { CommonText } from '../texts/catalogue.ts';
import { locale } from './page-locale.ts';

const TEXTS = {
  en: () => import('site/texts/common/en'),
  'zh-CN': () => import('site/texts/common/zh-CN'),
  'zh-TW': () => import('site/texts/common/zh-TW'),
};

const texts = new Map(Object.entries((await TEXTS[locale]()).default));

/** Adds the texts of a module that only some pages load. */
export function addTexts(more: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(more)) texts.set(key, text);
}

export type Details = Readonly<Record<string, string | number>>;

/** A text with its details: numbers are written as readers write them, `{n|bar|bars}` with the word that fits. */
export function textOf(key: string, details: Details): string {
  const text = texts.get(key);
  if (text === undefined) throw new Error(`no text ${key}`);
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, other?: string) => {
    const value = details[name];
    if (value === undefined) return whole;
    const written = typeof value === 'number' ? number(value) : value;
    if (one === undefined) return written;
    return `${written} ${value === 1 ? one : other}`;
  });
}

/** A text that every page has. */
export const t = (key: CommonText, details: Details = {}) => textOf(key, details);

/** The text of a key that is made of a code, such as `symbol.asset.stock`; `otherwise` if there is none. */
export function textOr(key: string, otherwise: string): string {
  return texts.get(key) ?? otherwise;
}

/** A problem of the field at a place of a call, by the name of the field where the page has one. `otherwise`: that of the call. */
export function namedProblem(place: readonly (string | number)[], text: string, otherwise = ''): string {
  const label = textOr(`form.${place.at(-1)}`, otherwise);
  return label === '' ? text : `${label}${t('word.colon')}${text}`;
}

/** An error of a form, by the name of its field; of a call, where the page has none. */
export function fieldProblem(path: string, text: string): string {
  const place = path.split('.');
  return namedProblem(place, text, place.at(-1));
}

/** A symbol without its market, which is the same for all. */
export const ticker = (symbol: string) => symbol.replace(/\.US$/, '');

/** Between two sentences, and between a label and its value: Chinese puts no space there. */
export const wordSpace = locale === 'en' ? ' ' : '';

/** Words one after the other, as the language separates them. */
export function listed(words: readonly string[]): string {
  return words.join(t('word.separator'));
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number with a true minus. One that rounds to zero has no sign. */
function written(value: number, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options);
  let known = formats.get(key);
  if (!known) {
    known = new Intl.NumberFormat(locale, { signDisplay: 'negative', ...options });
    formats.set(key, known);
  }
  return known.format(value).replace('-', '−');
}

/** A sentence of the API with true minus signs. */
export const withMinus = (text: string) => text.replaceAll(/(?<![\w-])-(?=\d)/g, '−');

export const UNDEFINED = '–';

/** With at most `digits` decimals; a dash for what is not defined. */
export function number(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return UNDEFINED;
  return written(value, { maximumFractionDigits: digits });
}

/** A number of unknown meaning: a year has no separator, and a small number keeps four digits. */
export function anyNumber(value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 0.001;
  return written(value, isSmall ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 6, useGrouping: 'min2' });
}

/** With exactly `digits` decimals. */
export function fixed(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return UNDEFINED;
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A price with cents; below 1 with hundredths of a cent. */
export function price(value: number | null | undefined): string {
  return fixed(value, value !== null && value !== undefined && Math.abs(value) < 1 ? 4 : 2);
}

/** A share of 1 in percent. */
export const inPercent = (share: number | null) => (share === null ? null : 100 * share);

/** `12.34%`, from a figure in percent. */
export function percent(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined ? UNDEFINED : `${fixed(value, digits)}%`;
}

/** `+12.34%`: the sign says what color alone must not. */
export function signedPercent(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined ? UNDEFINED : `${signed(value, digits)}%`;
}

/** Whole dollars. */
export const dollars = (value: number) =>
  written(value, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumFractionDigits: 0 });

/** `3 min`; Chinese has no space before its units. */
export const unit = (value: number, name: 'day' | 'hour' | 'minute' | 'second') =>
  written(value, { style: 'unit', unit: name, unitDisplay: 'short' }).replace(/ (?=\p{Script=Han})/u, '');

export function signed(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return UNDEFINED;
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'exceptZero' });
}

/** `1.2M`. `most`: the largest figure of a column, whose figures have one unit in Chinese: a reader compares no 億 with 萬. */
export function compact(value: number | null | undefined, most = 0): string {
  if (value === null || value === undefined) return UNDEFINED;
  const common = CHINESE_UNITS[locale]?.find(([size]) => most >= size);
  if (!common) return written(value, { notation: 'compact', maximumFractionDigits: 1 });
  const [size, name] = common;
  const digits = most < 100 * size ? 2 : 1;
  return `${written(value / size, { minimumFractionDigits: digits, maximumFractionDigits: digits })}${name}`;
}

const CHINESE_UNITS: Readonly<Record<string, readonly (readonly [size: number, name: string])[]>> = {
  'zh-CN': [
    [1e8, '亿'],
    [1e4, '万'],
  ],
  'zh-TW': [
    [1e8, '億'],
    [1e4, '萬'],
  ],
};

/** `5Y`, from the name of a range. */
export function rangeText(range: string): string {
  const [, count, unitOfTime] = /^(\d+)([YM])$/.exec(range) ?? [];
  if (count !== undefined) return t(unitOfTime === 'Y' ? 'range.years' : 'range.months', { count });
  return range === 'MAX' ? t('symbol.range.max') : textOr(`range.${range}`, range);
}

/** A day as readers write it, from `2026-11-20`. */
export function day(iso: string | null | undefined): string {
  return iso === null || iso === undefined ? UNDEFINED : mediumDay(iso);
}

/** The format is made when it is first used: it takes a phone tens of milliseconds. */
function dateFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (iso) => {
    format ??= new Intl.DateTimeFormat(locale, options);
    return format.format(Date.parse(iso));
  };
}

const mediumDay = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });

/** `Monday, November 23, 2026` */
export const longDay = dateFormat({ dateStyle: 'full', timeZone: 'UTC' });
/** `Nov 23`, where the year is known. */
export const dayInMonth = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });
/** `Nov` */
export const monthName = dateFormat({ month: 'short', timeZone: 'UTC' });

/** The class that colors a figure by its sign. */
export function tone(value: number | null | undefined): string {
  if (!value) return '';
  return value > 0 ? 'gain' : 'loss';
}

/** A time in the reader's time zone, from an ISO time. */
export function localTime(iso: string | null | undefined): string {
  return iso === null || iso === undefined ? UNDEFINED : mediumTime(iso);
}

const mediumTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** A time in UTC to the minute, for tables: `2026-05-29 16:05`. */
export function utcTime(iso: string | null): string {
  return iso === null ? UNDEFINED : iso.slice(0, 16).replace('T', ' ');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `12.3 MB`. */
export function fileSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${number(bytes / 1000 ** power, 1)} ${UNITS[power]}`;
}

/** Symbols as people type them: between spaces, commas, or lines. */
export function symbolsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter((symbol) => symbol !== ''),
    ),
  ];
}
