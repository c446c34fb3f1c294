/** The web site: pages that anybody may open, and what they load. Everything that they show comes from the public API. */
import type { Express, Request, Response } from 'express';
import { weakEtag } from '../call/response-cache.ts';
import { beginResponse, sendJson } from '../http/answer/respond.ts';
import { LOCALES, type Locale, matchLocale } from '../http/language/locale.ts';
import type { Services } from '../services.ts';
import { API_VERSION } from '../version.ts';
import { ASSETS } from './addresses.ts';
import { type Asset, siteAssets } from './assets.ts';
import { compressedAsset, encodingOf } from './compressed.ts';
import { renderPage } from './document.ts';
import { NOT_FOUND_PAGE, PAGES } from './pages.ts';
import { contentPolicy } from './policy.ts';
import { type Preferences, preferencesOf } from './preferences.ts';
import type { Preview } from './previews.ts';
import type { SitePage } from './site-page.ts';
import { siteText } from './texts/catalogue.ts';

export interface SiteOptions {
  /** Whether mails of this installation go to a folder. */
  readonly isMailLocal?: boolean;
}

const YEAR_S = 365 * 86_400;
const HSTS = `max-age=${YEAR_S}`;

export interface Site {
  /** Answers with a page that says that there is none here, where a person asks; false: nobody was answered. */
  answerNotFound(request: Request, response: Response): Promise<boolean>;
}

export function mountSite(app: Express, services: Services, { isMailLocal = false }: SiteOptions = {}): Site {
  const policies = new Map<string, string>();
  const policyOf = ({ hasInlineStyles }: SitePage, map: string) => {
    const key = `${hasInlineStyles} ${map}`;
    let policy = policies.get(key);
    if (policy === undefined) {
      policy = contentPolicy(map, hasInlineStyles);
      policies.set(key, policy);
    }
    return policy;
  };
  const sendPage = async (request: Request, response: Response, page: SitePage, parameter: string) => {
    const preferences = preferencesOf(request);
    const locale = localeOf(request, response, preferences);
    const preview = await previewOf(services, request, page, parameter, locale);
    const origin = new URL(services.publicApiBase).origin;
    const { path } = request;
    const { examples } = services.market;
    const assets = await siteAssets();
    const html = renderPage({ page, preview, locale, preferences, path, origin, isMailLocal, examples }, assets);
    const { headers } = request.context;
    headers['Content-Language'] = locale;
    headers['Content-Security-Policy'] = policyOf(page, assets.ofPage(page.module, locale).importMap);
    headers['Referrer-Policy'] = 'strict-origin-when-cross-origin';
    headers['Cross-Origin-Opener-Policy'] = 'same-origin';
    if (request.secure) headers['Strict-Transport-Security'] = HSTS;
    sendHtml(request, response, preview.isFound ? 200 : 404, html);
  };
  for (const page of PAGES) {
    app.get(page.path.replace(/\{(\w+)\}/, ':parameter'), async (request, response, next) => {
      if (page.path === '/' && request.accepts(['html', 'json']) === 'json')
        return sendLinks(request, response, services);
      if (!request.accepts('html')) return next();
      return sendPage(request, response, page, String(request.params.parameter ?? ''));
    });
  }
  app.get(`${ASSETS}/*file`, async (request, response, next) => {
    const asset = (await siteAssets()).byUrl.get(request.path);
    if (!asset) return next();
    return sendAsset(request, response, asset);
  });
  return {
    answerNotFound: async (request, response) => {
      const isAsked = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
      if (!isAsked || /^\/(api|v1|assets|docs)\//.test(request.path)) return false;
      await sendPage(request, response, NOT_FOUND_PAGE, '');
      return true;
    },
  };
}

/** `?lang=` wins and is remembered, then what was remembered, then what the browser asks for. */
function localeOf(request: Request, response: Response, { locale: remembered }: Preferences): Locale {
  const { lang } = request.query;
  const asked = typeof lang === 'string' ? matchLocale(lang) : null;
  if (asked !== null && asked !== remembered) {
    response.cookie('lang', asked, { path: '/', maxAge: YEAR_S * 1000, sameSite: 'lax', secure: request.secure });
  }
  const locale = asked ?? remembered ?? request.context.locale;
  return LOCALES.includes(locale) ? locale : request.context.defaultLocale;
}

/** Returns the preview of the page, as far as its subject is known now. */
async function previewOf(
  services: Services,
  { context }: Request,
  page: SitePage,
  parameter: string,
  locale: Locale,
): Promise<Preview> {
  const general = {
    title: siteText(page.title, locale),
    description: siteText(page.description, locale),
    isFound: page !== NOT_FOUND_PAGE,
  };
  try {
    return (await page.describe?.({ services, context, locale }, parameter)) ?? general;
  } catch (error) {
    // The page itself tells what is wrong, and goes on when it is over.
    services.log.debug({ err: error, requestId: context.requestId }, 'a preview could not be made');
    return general;
  }
}

/** A page may be kept and is asked for again each time: what it is made of may have changed. */
function sendHtml(request: Request, response: Response, status: number, html: string): void {
  const { headers } = request.context;
  headers['Cache-Control'] = 'private, no-cache';
  headers.Vary = `${headers.Vary}, Cookie`;
  headers.ETag = weakEtag(Buffer.from(html));
  beginResponse(request, response, status).type('html').send(html);
}

async function sendAsset(request: Request, response: Response, asset: Asset): Promise<void> {
  const encoding = encodingOf(request);
  const bytes = encoding ? await compressedAsset(asset, encoding) : asset.bytes;
  const { headers } = request.context;
  headers['Cache-Control'] = `public, max-age=${YEAR_S}, immutable`;
  headers['Content-Type'] = asset.contentType;
  headers['Content-Length'] = bytes.length;
  headers.Vary = 'Accept-Encoding';
  headers['Cross-Origin-Resource-Policy'] = 'same-origin';
  if (encoding) headers['Content-Encoding'] = encoding;
  delete headers['Content-Language'];
  beginResponse(request, response, 200).end(bytes);
}

/** The answer that a program gets at the address of the site. */
function sendLinks(request: Request, response: Response, { publicApiBase }: Services): void {
  const data = {
    version: API_VERSION,
    documentation: `${publicApiBase}/docs`,
    description: `${publicApiBase}/openapi.json`,
    meta: `${publicApiBase}/api/meta`,
    plans: `${publicApiBase}/api/plans`,
  };
  request.context.headers.Vary = `${request.context.headers.Vary}, Accept`;
  sendJson(request, response, 200, JSON.stringify({ code: 0, message: 'ok', data }));
}
