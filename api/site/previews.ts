/**
 * Link previews of pages that depend on their subject, and the bodies of text pages. The texts lie in the repository, where tests run
 * their examples.
 */
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { selectPublishedArticle } from '../../db/articles/published-articles.ts';
import type { Pool } from '../../db/pool.ts';
import { type KeptKind, selectSharedRun } from '../../db/runs/kept-runs.ts';
import { findStrategy } from '../../engine/strategies/catalogue.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { longestOf, type OutcomesSummary, outcomesSummary } from '../../jobs/outcomes/summary.ts';
import { type PortfolioSummary, portfolioSummary } from '../../jobs/portfolio/summary.ts';
import { type BacktestSummary, backtestSummary } from '../../jobs/runs/summary.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { callerAddress } from '../access/caller.ts';
import type { Limiter, LimitRule } from '../access/rate-limit.ts';
import type { RequestContext } from '../access/request-context.ts';
import { FALLBACK_LOCALE } from '../articles/routes.ts';
import { fill, type Locale } from '../http/language/locale.ts';
import { findInstrument } from '../market/directory.ts';
import { textsOf } from '../market/example-symbols.ts';
import type { MarketView } from '../market/market-view.ts';
import { sentenceOf } from '../outcomes/words.ts';
import { verdictsText } from './calibration.ts';
import { GUIDES } from './guides/catalogue.ts';
import { markdownButton, type Operation, referenceText, sectionOf } from './machine-texts.ts';
import { plansText } from './plans-text.ts';
import { rulesText } from './rules-text.ts';
import { ruleWords, type ToldRun, universeWords } from './run-idea.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';
import { readPeers, readTruth, truthText } from './truth.ts';

export interface Services {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
  readonly market: MarketView;
  readonly log: Logger;
  readonly limiter: Limiter;
  readonly publicRule: LimitRule;
  readonly publicApiBase: string;
}

export interface Preview {
  readonly title: string;
  readonly description: string;
  /** False: the subject does not exist, and the page has status 404. */
  readonly isFound: boolean;
  /** HTML for readers without scripts, below title and description. */
  readonly body?: string;
  /** The source of a page that is a text. */
  readonly markdown?: string;
  /** Path of the picture that is drawn of the subject. Default: that of the site. */
  readonly image?: string;
  /** Path of a cover of any size, in place of a picture. */
  readonly cover?: string;
}

export interface PreviewCall {
  readonly services: Services;
  readonly context: RequestContext;
  readonly locale: Locale;
  /** Every operation of the API. */
  readonly operations: readonly Operation[];
}

const notFound = (locale: Locale): Preview => ({
  title: siteText('page.not_found', locale),
  description: siteText('page.not_found.description', locale),
  isFound: false,
});

export async function describeSymbol({ services: { market }, locale }: PreviewCall, symbol: string): Promise<Preview> {
  // Before the first load, no symbol can be called unknown.
  const isLoading = market.directory.items.length === 0;
  try {
    const { qualified, instrument } = findInstrument(market.directory, symbol);
    const details = { symbol: qualified, name: instrument.name };
    return {
      title: `${qualified} · ${instrument.name}`,
      description: fill(siteText('page.symbol.of', locale), details),
      isFound: true,
    };
  } catch {
    if (!isLoading) return notFound(locale);
    return {
      title: siteText('page.symbol', locale),
      description: siteText('page.symbol.description', locale),
      isFound: true,
    };
  }
}

/** The picture of a preview, below the address of its page. */
export const PICTURE_PATH = '/preview.png';
/** The size that sites with link previews ask for. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;

/** The name of the strategy of a run, in the language of its reader. */
function strategyName({ strategy }: Pick<BacktestSummary, 'strategy'>, locale: Locale): string {
  return findStrategy(strategy)?.label[locale] ?? strategy;
}

/** The instruments and the rule of a kept run in words. */
export function ideaOf(summary: BacktestSummary | PortfolioSummary, locale: Locale) {
  // Summaries of rotations have more fields than those of other portfolios.
  const told: ToldRun = summary;
  const t = (key: SiteText) => siteText(key, locale);
  return { universe: universeWords(told, t), rule: ruleWords(told, strategyName(summary, locale), t) };
}

export function describeSharedBacktest(call: PreviewCall, slug: string): Promise<Preview> {
  return describeShared(call, { kind: 'backtest', slug });
}

export function describeSharedPortfolio(call: PreviewCall, slug: string): Promise<Preview> {
  return describeShared(call, { kind: 'portfolio', slug });
}

export function describeSharedOutcomes(call: PreviewCall, slug: string): Promise<Preview> {
  return describeShared(call, { kind: 'outcomes', slug });
}

async function describeShared(
  { services, context, locale }: PreviewCall,
  shared: { readonly kind: KeptKind; readonly slug: string },
): Promise<Preview> {
  const { pool, limiter, publicRule } = services;
  await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context);
  const run = await selectSharedRun(pool, shared);
  if (!run) return notFound(locale);
  const image = `${RUN_KINDS[shared.kind].kept.page}/${shared.slug}${PICTURE_PATH}`;
  if (shared.kind === 'outcomes') return { ...outcomesPreview(outcomesSummary(run.summary), locale), image };
  const summary = shared.kind === 'backtest' ? backtestSummary(run.summary) : portfolioSummary(run.summary);
  const { start_date, end_date, total_pnl_pct, max_drawdown_pct, num_trades } = summary;
  const { universe: symbol, rule: strategy } = ideaOf(summary, locale);
  const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return {
    title: `${symbol} · ${strategy} · ${percent.format(total_pnl_pct)}%`,
    description: fill(siteText('page.shared.of', locale), {
      symbol,
      strategy,
      start: start_date,
      end: end_date,
      total: percent.format(total_pnl_pct),
      drawdown: percent.format(-Math.abs(max_drawdown_pct)),
      trades: num_trades,
    }),
    isFound: true,
    image,
  };
}

/** The sentence of the longest horizon tells what came of it. */
function outcomesPreview({ question, horizons, compare }: OutcomesSummary, locale: Locale): Preview {
  const title = `${siteText('page.outcomes', locale)} · ${question.condition}`;
  return { title, description: sentenceOf(longestOf(horizons), compare, locale), isFound: true };
}

export async function describeArticle({ services, context, locale }: PreviewCall, slug: string): Promise<Preview> {
  const { pool, limiter, publicRule } = services;
  await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context);
  const article = await selectPublishedArticle(pool, slug, { locale, fallback: FALLBACK_LOCALE });
  if (!article) return notFound(locale);
  const { articleHtml } = await import('../articles/html.ts');
  return {
    title: article.title,
    description: article.summary ?? siteText('page.articles.description', locale),
    isFound: true,
    // An uploaded one is a path.
    ...(article.coverUrl?.startsWith('/') ? { cover: article.coverUrl } : {}),
    body: await articleHtml(article.body),
  };
}

const ROOT = new URL('../../', import.meta.url);
/** The address in examples, which is replaced by that of this installation. */
const LOCAL = 'http://127.0.0.1:3000';

interface TextPageOptions {
  /** The language of the source; default: English. */
  readonly language?: Locale;
  /** Whether tables may be as wide as the page. */
  readonly hasWideTables?: boolean;
  /** Its address, where it belongs to the documentation. */
  readonly inDocs?: string;
}

async function textPage(
  key: 'page.rules' | 'page.clients' | 'page.truth' | 'page.verdicts' | 'page.plans',
  call: PreviewCall,
  source: string,
  { language = 'en', hasWideTables = false, inDocs }: TextPageOptions = {},
): Promise<Preview> {
  const { articleHtml } = await import('../articles/html.ts');
  const { locale, services } = call;
  const title = siteText(key, locale);
  const note = locale === language ? '' : `<p class="notice">${siteText('text_page.in_english', locale)}</p>`;
  const textOf = textsOf(services.market);
  const markdown = textOf(source.replaceAll(LOCAL, services.publicApiBase));
  const text = await articleHtml(markdown);
  return {
    markdown: `# ${title}\n\n${markdown.trim()}\n`,
    title,
    description: siteText(`${key}.description`, locale),
    isFound: true,
    body: `<header class="head"><h1>${title}</h1>${markdownButton(locale)}</header>${await navigation(inDocs, locale)}<article class="prose${hasWideTables ? ' wide-tables' : ''}">${note}<div lang="${language}">${text}</div></article>`,
  };
}

async function navigation(address: string | undefined, locale: Locale): Promise<string> {
  if (address === undefined) return '';
  const { docsNav } = await import('./guides/guide-page.ts');
  return docsNav(address, locale);
}

const read = (path: string) => readFile(new URL(path, ROOT), 'utf8');

/** The language of rules. */
export async function describeRules(call: PreviewCall): Promise<Preview> {
  const page = await textPage('page.rules', call, await rulesText(call.locale), {
    language: call.locale,
    inDocs: '/rules',
  });
  return { ...page, body: withAddresses(page.body ?? '') };
}

/** Gives the row of each value and function an address: its name. A name that two tables have is the first one's. */
function withAddresses(html: string): string {
  const named = new Set<string>();
  return html.replaceAll(/<tr>(?=\s*<td><code>([a-z_0-9]+))/g, (row, name: string) => {
    if (named.has(name)) return row;
    named.add(name);
    return `<tr id="${name}">`;
  });
}

/** The clients for Python and TypeScript from their READMEs, and the tools of assistants from API.md. */
export async function describeClients(call: PreviewCall): Promise<Preview> {
  const [python, typescript, api] = await Promise.all([
    read('api/clients/python/README.md'),
    read('api/clients/typescript/README.md'),
    read('ops/docs/API.md'),
  ]);
  return textPage('page.clients', call, [python, typescript, sectionOf(api, 'Assistants')].join('\n'), {
    inDocs: '/clients',
  });
}

/** The frame of the API reference, whose operations a script shows. */
export async function describeReference({ locale, operations }: PreviewCall): Promise<Preview> {
  const title = siteText('page.reference', locale);
  const t = (key: Parameters<typeof siteText>[0]) => siteText(key, locale);
  return {
    title,
    description: t('page.reference.description'),
    isFound: true,
    markdown: `# ${title}\n\n${referenceText(operations)}`,
    body: `<header class="head"><h1>${title}</h1></header>${await navigation('/docs/reference', locale)}<p class="lead">${t('docs.lead')} <a href="/openapi.json">${t('home.programs.openapi')}</a></p><div class="operations"></div>`,
  };
}

/** Figures of other programs beside ours, from what was recorded. */
export async function describeTruth(call: PreviewCall): Promise<Preview> {
  const [truth, peers] = await Promise.all([readTruth(), readPeers()]);
  return textPage('page.truth', call, truthText(truth, peers, call.locale), {
    language: call.locale,
    hasWideTables: true,
  });
}

/** The rules of verdicts of tear sheets. */
export async function describeVerdicts(call: PreviewCall): Promise<Preview> {
  return textPage('page.verdicts', call, await verdictsText(call.locale), {
    language: call.locale,
    hasWideTables: true,
  });
}

export function describePlans(call: PreviewCall): Promise<Preview> {
  return textPage('page.plans', call, plansText(call.locale), { language: call.locale, hasWideTables: true });
}

/** A guide; the first one without its name. */
export async function describeGuide({ services, locale }: PreviewCall, slug: string): Promise<Preview> {
  const guide = slug === '' ? GUIDES[0] : GUIDES.find((other) => other.slug === slug);
  if (!guide) return notFound(locale);
  const { guideHtml, guideMarkdown } = await import('./guides/guide-page.ts');
  const textOf = textsOf(services.market);
  const adapt = (text: string) => textOf(text.replaceAll(LOCAL, services.publicApiBase));
  return {
    title: siteText(guide.title, locale),
    description: siteText('page.docs.description', locale),
    isFound: true,
    markdown: await guideMarkdown(guide, locale, adapt),
    body: await guideHtml(guide, locale, adapt),
  };
}
