/** The web site: pages that anybody may open, and what they load. Everything that they show comes from the public API. */
import type { Express, Request, RequestHandler, Response } from 'express';
import expressStaticGzip from 'express-static-gzip';
import helmet from 'helmet';
import { KEPT_KINDS } from '../../db/runs/kept-runs.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { SERVICE_VERSION } from '../../engine/util/service-version.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { callerAddress } from '../access/caller.ts';
import { weakEtag } from '../http/answer/reply.ts';
import { beginResponse, sendJson } from '../http/answer/respond.ts';
import { LOCALES, type Locale, matchLocale } from '../http/language/locale.ts';
import { toExpressPath } from '../http/path-template.ts';
import { siteAssets } from './assets.ts';
import { type Preferences, preferencesOf, renderPage } from './document.ts';
import {
  MARKDOWN,
  markdownAddress,
  mountMachineTexts,
  type Operation,
  sendMarkdown,
  wantsMarkdown,
} from './machine-texts.ts';
import { ASSETS, SITE_FOLDER } from './manifest.ts';
import { MOVED_PAGES, NOT_FOUND_PAGE, PAGES, type SitePage } from './pages.ts';
import {
  describeArticle,
  describeClients,
  describeGuide,
  describePlans,
  describeReference,
  describeRules,
  describeSharedBacktest,
  describeSharedOutcomes,
  describeSharedPortfolio,
  describeSymbol,
  describeTruth,
  describeVerdicts,
  PICTURE_PATH,
  type Preview,
  type PreviewCall,
  type Services,
} from './previews.ts';
import { siteText } from './texts/catalogue.ts';

const YEAR_S = 365 * 86_400;

/** `styles`: further sources of styles. */
function securityHeaders(...styles: readonly string[]): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", ...styles],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Set on https only: see `keepOnHttps`.
    strictTransportSecurity: false,
  });
}

const keepOnHttps = helmet.strictTransportSecurity({ maxAge: YEAR_S, includeSubDomains: false });
const secure = securityHeaders();
/** For pages whose library writes style elements. */
const secureWithStyles = securityHeaders("'unsafe-inline'");

export interface SiteOptions {
  /** Whether mails of this installation go to a folder. */
  readonly isMailLocal?: boolean;
  /** Every operation of the API. Default: none. */
  readonly routes?: readonly Operation[];
}

/** Previews that depend on the subject of a page, by its path. */
const PREVIEWS: ReadonlyMap<string, (call: PreviewCall, parameter: string) => Promise<Preview>> = new Map([
  ['/s/{symbol}', describeSymbol],
  ['/r/{slug}', describeSharedBacktest],
  ['/p/{slug}', describeSharedPortfolio],
  ['/o/{slug}', describeSharedOutcomes],
  ['/articles/{slug}', describeArticle],
  ['/rules', describeRules],
  ['/clients', describeClients],
  ['/truth', describeTruth],
  ['/verdicts', describeVerdicts],
  ['/plans', describePlans],
  ['/docs', describeGuide],
  ['/docs/reference', describeReference],
  ['/docs/{guide}', describeGuide],
]);

export interface Site {
  /** Answers a browser with the not-found page; false: the request is not from one and is still to be answered. */
  answerNotFound(request: Request, response: Response): Promise<boolean>;
}

export function mountSite(
  app: Express,
  services: Services,
  { isMailLocal = false, routes: operations = [] }: SiteOptions = {},
): Site {
  const sendPage = async (request: Request, response: Response, page: SitePage, parameter: string) => {
    const preferences = preferencesOf(request);
    const locale = localeOf(request, response, preferences);
    const preview = await previewOf({ services, context: request.context, locale, operations }, page, parameter);
    // A text that does not exist has nothing to fill its page with.
    if (page.isText && !preview.isFound) return sendPage(request, response, NOT_FOUND_PAGE, '');
    if (preview.markdown !== undefined && wantsMarkdown(request)) {
      request.context.headers['Content-Language'] = locale;
      return sendMarkdown(request, response, preview.markdown);
    }
    const origin = new URL(services.publicApiBase).origin;
    const { path } = request;
    const { examples, newestSession } = services.market;
    const session = newestSession === null ? null : formatDay(newestSession);
    const html = renderPage(
      { page, preview, locale, preferences, path, origin, isMailLocal, examples, session },
      await siteAssets(),
    );
    request.context.headers['Content-Language'] = locale;
    const setHeaders = page.hasInlineStyles ? secureWithStyles : secure;
    setHeaders(request, response, () => {});
    if (request.secure) keepOnHttps(request, response, () => {});
    sendHtml(request, response, preview.isFound ? 200 : 404, html);
  };
  mountMachineTexts(app, services.publicApiBase);
  for (const page of PAGES.filter(({ isText }) => isText)) {
    app.get(markdownAddress(toExpressPath(page.path)), async (request, response) =>
      sendPage(request, response, page, String(Object.values(request.params)[0] ?? '')),
    );
  }
  for (const page of PAGES) {
    app.get(toExpressPath(page.path), async (request, response, next) => {
      if (page.path === '/' && request.accepts(['html', 'json']) === 'json')
        return sendLinks(request, response, services);
      const types = page.isText ? ['html', MARKDOWN] : ['html'];
      if (!request.accepts(types)) return next();
      return sendPage(request, response, page, String(Object.values(request.params)[0] ?? ''));
    });
  }
  for (const [from, to] of MOVED_PAGES) {
    app.get(from, (request, response) => {
      beginResponse(request, response, 301).location(request.originalUrl.replace(from, to)).end();
    });
  }
  app.get(PICTURE_PATH, async (request, response) => {
    const { sitePicture } = await import('./preview-picture.ts');
    sendPicture(request, response, await sitePicture());
  });
  for (const kind of KEPT_KINDS) {
    app.get(`${RUN_KINDS[kind].kept.page}/:slug${PICTURE_PATH}`, async (request, response) => {
      const { context, params } = request;
      await services.limiter.enforce({ counter: `ip:${callerAddress(context.ip)}` }, services.publicRule, context);
      const { runPicture } = await import('./preview-picture.ts');
      sendPicture(request, response, await runPicture(services, { kind, slug: params.slug }));
    });
  }
  app.use(ASSETS, setAssetHeaders, serveAssets());
  return {
    answerNotFound: async (request, response) => {
      const isAsked = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
      if (!isAsked || /^\/(api|v1|assets)\//.test(request.path)) return false;
      await sendPage(request, response, NOT_FOUND_PAGE, '');
      return true;
    },
  };
}

/** `?lang=` wins and is remembered; then the remembered language, then the one that the browser prefers. */
function localeOf(request: Request, response: Response, { locale: remembered }: Preferences): Locale {
  const { lang } = request.query;
  const asked = typeof lang === 'string' ? matchLocale(lang) : null;
  if (asked !== null && asked !== remembered) {
    response.cookie('lang', asked, { path: '/', maxAge: YEAR_S * 1000, sameSite: 'lax', secure: request.secure });
  }
  const locale = asked ?? remembered ?? request.context.locale;
  return LOCALES.includes(locale) ? locale : request.context.defaultLocale;
}

/** The preview of the page; a general one if its subject cannot be read. */
async function previewOf(call: PreviewCall, page: SitePage, parameter: string): Promise<Preview> {
  const { services, context, locale } = call;
  const general = {
    title: siteText(page.title, locale),
    description: siteText(page.description, locale),
    isFound: page !== NOT_FOUND_PAGE,
  };
  try {
    return (await PREVIEWS.get(page.path)?.(call, parameter)) ?? general;
  } catch (error) {
    // The page itself shows the error and retries.
    services.log.debug({ err: error, requestId: context.requestId }, 'a preview could not be made');
    return general;
  }
}

/** A page may be cached, but is revalidated each time: its subject, texts, or scripts may have changed. */
function sendHtml(request: Request, response: Response, status: number, html: string): void {
  const { headers } = request.context;
  headers['Cache-Control'] = 'private, no-cache';
  headers.Vary = `${headers.Vary}, Cookie`;
  headers.ETag = weakEtag(Buffer.from(html));
  beginResponse(request, response, status).type('html').send(html);
}

/** Other sites keep the picture of a link for long themselves; a link that is revoked must not be shown much longer here. */
const PICTURE_MAX_AGE_S = 300;

function sendPicture(request: Request, response: Response, png: Buffer): void {
  const { headers } = request.context;
  headers['Cache-Control'] = `public, max-age=${PICTURE_MAX_AGE_S}`;
  headers.ETag = weakEtag(png);
  beginResponse(request, response, 200).type('png').send(png);
}

/** Serves the files that the build has compressed. They are looked for once, so it must have ended. */
function serveAssets(): RequestHandler {
  let files: RequestHandler | undefined;
  return async (request, response, next) => {
    await siteAssets();
    files ??= expressStaticGzip(SITE_FOLDER, {
      enableBrotli: true,
      index: false,
      orderPreference: ['br', 'gz'],
      serveStatic: { immutable: true, maxAge: YEAR_S * 1000 },
    });
    files(request, response, next);
  };
}

const setAssetHeaders: RequestHandler = ({ context }, response, next) => {
  response.set({
    'X-Request-Id': context.requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
  });
  next();
};

/** The answer that a program gets at the address of the site. */
function sendLinks(request: Request, response: Response, { publicApiBase }: Services): void {
  const data = {
    version: SERVICE_VERSION,
    documentation: `${publicApiBase}/docs`,
    description: `${publicApiBase}/openapi.json`,
    meta: `${publicApiBase}/api/meta`,
    plans: `${publicApiBase}/api/plans`,
  };
  request.context.headers.Vary = `${request.context.headers.Vary}, Accept`;
  sendJson(request, response, 200, JSON.stringify({ code: 0, message: 'ok', data }));
}
