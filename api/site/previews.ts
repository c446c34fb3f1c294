import type { Logger } from 'pino';
import { selectPublishedArticle } from '../../db/articles/articles.ts';
import type { Pool } from '../../db/pool.ts';
import { type KeptKind, selectSharedBacktest } from '../../db/runs/kept-runs.ts';
import { backtestSummary } from '../../jobs/backtest/summary.ts';
import { portfolioSummary } from '../../jobs/portfolio/summary.ts';
import { callerAddress } from '../access/caller.ts';
import type { Limiter, LimitRule } from '../access/rate-limit.ts';
import type { RequestContext } from '../access/request-context.ts';
import { FALLBACK_LOCALE } from '../articles/routes.ts';
import type { Locale } from '../http/language/locale.ts';
import { fill } from '../http/language/text.ts';
import { findInstrument } from '../market/directory.ts';
import type { MarketView } from '../market/market-view.ts';
import { siteText } from './texts/catalogue.ts';

export interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
  readonly log: Logger;
  readonly limiter: Limiter;
  readonly publicRule: LimitRule;
  readonly publicApiBase: string;
}

/** Link previews of pages whose preview depends on their subject. */
export interface Preview {
  readonly title: string;
  readonly description: string;
  /** False: there is no such thing, and the page says so with status 404. */
  readonly isFound: boolean;
  /** HTML for readers without scripts, below title and description. */
  readonly body?: string;
}

export interface PreviewCall {
  readonly services: Services;
  readonly context: RequestContext;
  readonly locale: Locale;
}

const NOT_FOUND = (locale: Locale): Preview => ({
  title: siteText('page.not_found', locale),
  description: siteText('page.not_found.description', locale),
  isFound: false,
});

export async function describeSymbol({ services: { market }, locale }: PreviewCall, symbol: string): Promise<Preview> {
  // While nothing is loaded, no symbol is known and none is unknown either.
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
    if (!isLoading) return NOT_FOUND(locale);
    return {
      title: siteText('page.symbol', locale),
      description: siteText('page.symbol.description', locale),
      isFound: true,
    };
  }
}

/** A preview names so many instruments of a portfolio. */
const NAMED_SYMBOLS = 3;

function namesOf(symbols: readonly string[]): string {
  const named = symbols.slice(0, NAMED_SYMBOLS).join(', ');
  return symbols.length > NAMED_SYMBOLS ? `${named} +${symbols.length - NAMED_SYMBOLS}` : named;
}

export function describeSharedBacktest(call: PreviewCall, slug: string): Promise<Preview> {
  return describeShared(call, { kind: 'backtest', slug });
}

export function describeSharedPortfolio(call: PreviewCall, slug: string): Promise<Preview> {
  return describeShared(call, { kind: 'portfolio', slug });
}

async function describeShared(
  { services, context, locale }: PreviewCall,
  shared: { readonly kind: KeptKind; readonly slug: string },
): Promise<Preview> {
  const { pool, limiter, publicRule } = services;
  await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context);
  const saved = await selectSharedBacktest(pool, shared);
  if (!saved) return NOT_FOUND(locale);
  const summary = shared.kind === 'backtest' ? backtestSummary(saved.summary) : portfolioSummary(saved.summary);
  const { strategy, start_date, end_date, total_pnl_pct, max_drawdown_pct, num_trades } = summary;
  const symbol = 'symbols' in summary ? namesOf(summary.symbols) : summary.symbol;
  const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return {
    title: `${symbol} · ${strategy} · ${percent.format(total_pnl_pct)} %`,
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
  };
}

export async function describeArticle({ services, context, locale }: PreviewCall, slug: string): Promise<Preview> {
  const { pool, limiter, publicRule } = services;
  await limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, publicRule, context);
  const article = await selectPublishedArticle(pool, slug, { locale, fallback: FALLBACK_LOCALE });
  if (!article) return NOT_FOUND(locale);
  const { articleHtml } = await import('../articles/html.ts');
  return {
    title: article.title,
    description: article.summary ?? siteText('page.articles.description', locale),
    isFound: true,
    body: await articleHtml(article.body),
  };
}
