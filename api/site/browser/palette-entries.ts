/** Entries of the command palette: places and actions of the page at once, and by calls of the API instruments, articles, and rules. */
import { GUIDES, guideAddress } from '../guides/catalogue.ts';
import { dataOf, send } from './api.ts';
import { applyAppearance } from './appearance.ts';
import { operationsOf } from './operations.ts';
import { locale } from './page-locale.ts';
import { aboutOf, isKept, pageOf, readLibrary, subjectOf } from './run/library.ts';
import { DEFAULT_RANGE } from './run/specification.ts';
import { get, post, signedInAs, signIn, withSession } from './session.ts';
import { rangeText, ticker } from './text.ts';
import { t } from './tool-text.ts';
import type { ArticleItem, ArticleList, RuleCheck, Strategies, SymbolSearch } from './types.ts';

export const GROUPS = [
  'places',
  'runs',
  'instruments',
  'actions',
  'guides',
  'functions',
  'operations',
  'articles',
] as const;

export interface Entry {
  readonly group: (typeof GROUPS)[number];
  readonly name: string;
  /** Short words after the name. */
  readonly about: string;
  /** An address, or what is done. */
  readonly open: string | (() => unknown);
}

/** Entries of a group at most. */
const MOST = 6;
const RANGE = /^([1-8]y|10y|[136]m|ytd|max)$/;

/** Whether a word of the text begins with what was typed. */
function matches(text: string, typed: string): boolean {
  const found = text.toLowerCase();
  return (
    found.startsWith(typed) || found.includes(` ${typed}`) || (/[^\x20-\x7e]/.test(typed) && found.includes(typed))
  );
}

/** Entries that need no call: the places of the site, and the actions of every page. */
export function entriesOfPage(typed: string): readonly Entry[] {
  const found = [...places(), ...actions(), ...(typed === '' ? [] : guides())].filter(({ name }) =>
    matches(name, typed),
  );
  return typed === ''
    ? found
    : GROUPS.flatMap((group) => found.filter((entry) => entry.group === group).slice(0, MOST));
}

function places(): Entry[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.places a')];
  const isForReader = (link: Element) => signedInAs() === 'admin' || link.closest('.for-admins') === null;
  return links.filter(isForReader).map((link) => {
    const section = link.closest('div')?.querySelector('h2')?.textContent ?? '';
    const spans = [...link.querySelectorAll('span')];
    // A plan may stand beside the name.
    const shown = spans.find((part) => part.checkVisibility()) ?? link.firstChild;
    return { group: 'places', name: (shown?.textContent ?? '').trim(), about: section, open: link.pathname };
  });
}

function actions(): Entry[] {
  const themes = ['light', 'dark', 'system'] as const;
  const languages = [...document.querySelectorAll<HTMLAnchorElement>('[data-language]:not([aria-current])')];
  const action = (name: string, open: Entry['open'], about = ''): Entry => ({ group: 'actions', name, about, open });
  return [
    ...themes.map((theme) => action(t(`palette.theme.${theme}`), () => applyAppearance('theme', theme))),
    ...languages.map((link) => action(link.textContent, () => link.click(), t('shell.language'))),
    ...(signedInAs() === null ? [action(t('sign_in.title'), signIn)] : []),
  ];
}

function guides(): Entry[] {
  return GUIDES.map((guide) => ({ group: 'guides', name: t(guide.title), about: '', open: guideAddress(guide) }));
}

/** Entries that are found by calls. Each part that fails is left out, except the instruments. */
export async function entriesOfApi(typed: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const [instruments, ...others] = await Promise.all([
    instrumentsLike(typed, signal),
    runsLike(typed, signal).catch(() => []),
    runNamed(typed, signal).catch(() => []),
    functionsLike(typed, signal).catch(() => []),
    operationsLike(typed).catch(() => []),
    articlesLike(typed).catch(() => []),
  ]);
  return [...instruments, ...others.flat()];
}

async function instrumentsLike(q: string, signal: AbortSignal): Promise<Entry[]> {
  const { items } = await get<SymbolSearch>('/v1/symbols', { query: { q, limit: MOST }, signal });
  const entries = items.map(
    ({ symbol, name }): Entry => ({
      group: 'instruments',
      name: symbol,
      about: name,
      open: `/s/${encodeURIComponent(symbol)}`,
    }),
  );
  const [first] = items;
  if (!first) return entries;
  const { symbol } = first;
  const backtest = `/backtest?${new URLSearchParams({ symbol })}`;
  return [...entries, { group: 'actions', name: t('palette.backtest', { symbol }), about: '', open: backtest }];
}

/** The newest runs and sweeps of the reader; with words, those that have them. */
export async function runsLike(typed: string, signal: AbortSignal): Promise<Entry[]> {
  if (signedInAs() === null) return [];
  // Nobody is asked to sign in again for what they have not asked for.
  const { items } = await readLibrary(typed, MOST, async (address) => dataOf(await withSession(address, { signal })));
  return items.map((item) => {
    const name = (isKept(item) ? item.name : null) ?? subjectOf(item);
    return { group: 'runs', name, about: aboutOf(item), open: pageOf(item) };
  });
}

/** Read once; a failure is tried again with the next search. */
let strategies: Promise<Strategies> | undefined;

/** `rsi luma 5y`: offers to run a strategy on a symbol, in any order, over a range or the usual one. */
async function runNamed(typed: string, signal: AbortSignal): Promise<Entry[]> {
  const words = typed.toLowerCase().split(/\s+/);
  const range = words.find((word) => RANGE.test(word));
  const [first, second, ...more] = words.filter((word) => word !== range);
  if (second === undefined || more.length > 0) return [];
  strategies ??= get<Strategies>('/api/backtest/strategies').catch((error) => {
    strategies = undefined;
    throw error;
  });
  const known = (await strategies).strategies;
  for (const [word, q] of [
    [first, second],
    [second, first],
  ]) {
    const strategy = known.find(({ code, name }) => matches(`${code} ${name}`, word));
    if (!strategy) continue;
    const { items } = await get<SymbolSearch>('/v1/symbols', { query: { q, limit: 1 }, signal });
    const symbol = items.find((item) => item.symbol.toLowerCase().startsWith(q))?.symbol;
    if (symbol === undefined) continue;
    const time_range = range?.toUpperCase() ?? DEFAULT_RANGE;
    const query = new URLSearchParams({ symbol, strategy: strategy.code, time_range });
    const name = t('palette.run', { strategy: strategy.name, symbol: ticker(symbol), range: rangeText(time_range) });
    return [{ group: 'actions', name, about: '', open: `/backtest?${query}` }];
  }
  return [];
}

/** Functions of rules whose names begin so. */
async function functionsLike(text: string, signal: AbortSignal): Promise<Entry[]> {
  if (!/^[a-z]\w*$/.test(text)) return [];
  const { completions } = await post<RuleCheck>('/v1/rules/check', { text, part: 'entry' }, { signal });
  return completions.choices.slice(0, MOST).map(({ usage, description }) => ({
    group: 'functions',
    name: usage,
    about: description,
    open: `/rules#${usage.replace(/\(.*/, '')}`,
  }));
}

/** Read once; a failure is tried again with the next search. */
let operations: Promise<readonly Entry[]> | undefined;

async function operationsLike(typed: string): Promise<readonly Entry[]> {
  operations ??= readOperations().catch((error) => {
    operations = undefined;
    throw error;
  });
  return (await operations).filter(({ name, about }) => matches(name, typed) || matches(about, typed)).slice(0, MOST);
}

async function readOperations(): Promise<readonly Entry[]> {
  return operationsOf(await (await send('GET', '/openapi.json')).json()).map(({ name, method, path, address }) => ({
    group: 'operations',
    name,
    about: `${method} ${path}`,
    open: address,
  }));
}

let articles: Promise<readonly ArticleItem[]> | undefined;
const NEWEST_ARTICLES = 100;

async function articlesLike(typed: string): Promise<Entry[]> {
  articles ??= get<ArticleList>('/api/articles', { query: { locale, size: NEWEST_ARTICLES } }).then(
    ({ items }) => items,
    (error) => {
      articles = undefined;
      throw error;
    },
  );
  const found = (await articles).filter(({ title }) => matches(title, typed)).slice(0, MOST);
  return found.map(({ title, slug, category }) => ({
    group: 'articles',
    name: title,
    about: t(`article.category.${category}`),
    open: `/articles/${encodeURIComponent(slug)}`,
  }));
}
