/** A page as HTML: what search engines, previews and readers without scripts get, and the frame that scripts fill. */
import { parseCookie } from 'cookie';
import escapeHtml from 'escape-html';
import type { Request } from 'express';
import { LOCALES, type Locale, matchLocale } from '../http/language/locale.ts';
import type { Manifest } from './manifest.ts';
import { SECTIONS, type SitePage } from './pages.ts';
import { planBehind } from './plans-text.ts';
import { PICTURE_PATH, PICTURE_SIZE, type Preview } from './previews.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';

const THEMES = ['light', 'dark'] as const;

/** Language, theme, and colors that a reader chose, stored in cookies so that the server renders pages with them. */
export interface Preferences {
  readonly locale: Locale | null;
  /** Null: as the system. */
  readonly theme: (typeof THEMES)[number] | null;
  /** Whether gains are red and losses green, as Chinese readers know them. */
  readonly isRedUp: boolean;
  /** Whether the reader has chosen the colors of gains. */
  readonly isGainChosen: boolean;
  /** The role that a cookie claims; used only to show the right links at once. */
  readonly signedIn: 'member' | 'admin' | null;
}

export function preferencesOf(request: Request): Preferences {
  const cookies = parseCookie(request.headers.cookie ?? '');
  const { lang, theme, gain, signed_in: signedIn } = cookies;
  return {
    locale: lang === undefined ? null : matchLocale(lang),
    theme: THEMES.find((name) => name === theme) ?? null,
    isRedUp: gain === 'red',
    isGainChosen: gain !== undefined,
    signedIn: signedIn === 'admin' || signedIn === 'member' ? signedIn : null,
  };
}

export interface PageRequest {
  readonly page: SitePage;
  readonly preview: Preview;
  readonly locale: Locale;
  readonly preferences: Preferences;
  /** Path of the request, without the query. */
  readonly path: string;
  /** Origin of the site, for links from other sites: `https://example.com`. */
  readonly origin: string;
  /** Whether mails of this installation go to a folder, so that codes are found there. */
  readonly isMailLocal: boolean;
  /** Symbols of the market for examples. */
  readonly examples: readonly string[];
  /** The newest session of the market; null while nothing is loaded. */
  readonly session: string | null;
}

const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', 'zh-CN': '简体中文', 'zh-TW': '繁體中文' };

export function renderPage(request: PageRequest, assets: Manifest): string {
  const { page, locale, preferences } = request;
  const t = textsIn(locale);
  const appearance = [
    preferences.theme === null ? '' : ` data-theme="${preferences.theme}"`,
    preferences.isRedUp ? ' data-gain="red"' : '',
    preferences.signedIn === null ? '' : ` data-signed-in="${preferences.signedIn}"`,
    request.isMailLocal ? ' data-mail="local"' : '',
    page.door === undefined ? '' : ` data-door="${planBehind(page.door)}"`,
    request.examples.length === 0 ? '' : ` data-examples="${escapeHtml(request.examples.join(' '))}"`,
  ].join('');
  return `<!doctype html>
<html lang="${locale}"${appearance}>
<head>
${renderHead(request, assets)}
</head>
<body class="${page.layout}">
<a class="skip" href="#main">${t('shell.skip')}</a>
<div class="frame">
${renderSide(request)}
<main id="main" tabindex="-1">
${renderOffer(request)}${renderContent(request)}
</main>
<footer class="bottom">
<p>${t('shell.disclaimer')}</p>
<p><a href="/docs">${t('nav.docs')}</a> · <a href="/openapi.json">OpenAPI</a> · <a href="https://www.tradingview.com/" rel="noreferrer">${t('shell.charts_by')}</a></p>
</footer>
</div>
<button type="button" class="phone-search" data-opens="palette">${t('shell.search')}</button>
${renderPhoneBar(request)}
</body>
</html>
`;
}

/** Offers the colors that Chinese readers know, until they choose. */
function renderOffer({ locale, preferences }: PageRequest): string {
  if (locale === 'en' || preferences.isGainChosen) return '';
  const t = textsIn(locale);
  const button = (color: 'green' | 'red') =>
    `<button type="button" class="small" data-gain-choice="${color}">${t(`shell.gains.${color}`)}</button>`;
  return `<aside class="gain-offer" aria-label="${t('shell.gains')}" hidden>${t('shell.gains')} ${button('red')} ${button('green')}</aside>
`;
}

const textsIn = (locale: Locale) => (key: SiteText) => escapeHtml(siteText(key, locale));

const SIZE_OF_PICTURE = `<meta property="og:image:width" content="${PICTURE_SIZE.width}">
<meta property="og:image:height" content="${PICTURE_SIZE.height}">
`;

function renderHead({ page, preview, locale, path, origin }: PageRequest, assets: Manifest): string {
  const title = escapeHtml(
    preview.title === siteText('site.name', locale)
      ? preview.title
      : `${preview.title} · ${siteText('site.name', locale)}`,
  );
  const description = escapeHtml(preview.description);
  const address = escapeHtml(`${origin}${path}`);
  const { scripts, preloads } = assets.pages[page.module];
  return `<meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${page.isPrivate || !preview.isFound ? '<meta name="robots" content="noindex">\n' : ''}<meta property="og:type" content="website">
<meta property="og:site_name" content="${escapeHtml(siteText('site.name', locale))}">
<meta property="og:title" content="${escapeHtml(preview.title)}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${address}">
<meta property="og:locale" content="${locale.replace('-', '_')}">
<meta property="og:image" content="${escapeHtml(`${origin}${preview.cover ?? preview.image ?? PICTURE_PATH}`)}">
${preview.cover === undefined ? SIZE_OF_PICTURE : ''}<meta property="og:image:alt" content="${description}">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="${address}">
${LOCALES.map((other) => `<link rel="alternate" hreflang="${other}" href="${address}?lang=${other}">`).join('\n')}
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.stylesheet}">
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin fetchpriority="low">
${preloads[locale].map((url) => `<link rel="modulepreload" href="${url}">`).join('\n')}
${scripts.map((url) => `<script type="module" src="${url}"></script>`).join('\n')}`;
}

/** Renders the element that the page's module fills: with its title at once, or, in text pages, with the text itself. */
function renderContent(request: PageRequest): string {
  const { page, preview } = request;
  if (page.isText) return `<${page.element}>${preview.body ?? ''}</${page.element}>`;
  return `<${page.element}><header class="head" data-until-filled><h1>${escapeHtml(preview.title)}</h1></header></${page.element}>
<noscript>${renderWithoutScripts(request)}</noscript>`;
}

function isCurrent(path: string, href: string): boolean {
  if (href === '/') return path === '/';
  return path === href || (path.startsWith(`${href}/`) && href !== '/admin');
}

function renderLink(path: string, href: string, content: string): string {
  return `<a href="${href}"${isCurrent(path, href) ? ' aria-current="page"' : ''}>${content}</a>`;
}

/** Renders the places of the site, with the search above them, and the session, language, theme, and keys below them. */
function renderSide(request: PageRequest): string {
  const { locale, path, session } = request;
  const t = textsIn(locale);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const sections = SECTIONS.map(
    ({ title, pages, isForAdmins }) =>
      `<div${isForAdmins ? ' class="for-admins"' : ''}><h2>${t(title)}</h2>${pages
        .map((page) => renderLink(path, page.path, linkText(page, t)))
        .join('')}</div>`,
  );
  return `<header class="side" id="places" popover>
<a class="brand" href="/">${t('site.name')}</a>
<button type="button" class="palette-field" data-opens="palette">${t('shell.search_or_jump')} <kbd>Ctrl K</kbd></button>
<nav class="places" aria-label="${t('shell.site')}">${sections.join('')}</nav>
<div class="side-foot">
${session === null ? '' : `<dl><dt>${t('shell.session')}</dt><dd>${day.format(Date.parse(session))}</dd></dl>`}
<div>${renderDisplay(request)}<button type="button" class="keys" data-opens="keys">${t('shell.keys')} <kbd>?</kbd></button></div>
</div>
</header>`;
}

/** Guests find the sign-in where members find their account. */
function linkText({ path, title, link = title, door }: SitePage, t: (key: SiteText) => string): string {
  // Everybody with an account has the first of them: it is no door.
  const plan = door === undefined ? 'free' : planBehind(door);
  if (path !== '/account') return plan === 'free' ? t(link) : `${t(link)} <small>${t(`plan.${plan}`)}</small>`;
  return `<span class="when-guest">${t('shell.sign_in')}</span><span class="when-member">${t(link)}</span>`;
}

/** Renders the menu of language, theme, and colors. */
function renderDisplay({ locale, path, preferences }: PageRequest): string {
  const t = textsIn(locale);
  const languages = LOCALES.map(
    (other) =>
      `<a href="${escapeHtml(path)}?lang=${other}" hreflang="${other}" lang="${other}" data-language="${other}"${
        other === locale ? ' aria-current="true"' : ''
      }>${LANGUAGE_NAMES[other]}</a>`,
  );
  const theme = preferences.theme ?? 'system';
  const choice = (name: string, value: string, text: SiteText, isChosen: boolean) =>
    `<label><input type="radio" name="${name}" value="${value}"${isChosen ? ' checked' : ''}> ${t(text)}</label>`;
  const themes = (['system', ...THEMES] as const).map((value) =>
    choice('theme', value, `shell.theme.${value}`, value === theme),
  );
  return `<details class="menu"><summary>${LANGUAGE_NAMES[locale]} · <span class="theme-name">${t(`shell.theme.${theme}`)}</span></summary><div class="menu-box">
<div role="group" aria-label="${t('shell.language')}"><h2>${t('shell.language')}</h2>${languages.join('')}</div>
<fieldset><legend>${t('shell.theme')}</legend>${themes.join('')}</fieldset>
<fieldset><legend>${t('shell.gains')}</legend>${choice('gain', 'green', 'shell.gains.green', !preferences.isRedUp)}${choice(
    'gain',
    'red',
    'shell.gains.red',
    preferences.isRedUp,
  )}</fieldset>
</div></details>`;
}

/** Renders the words at the bottom of phones, within reach of a thumb; the last opens all places. */
function renderPhoneBar({ locale, path, examples }: PageRequest): string {
  const t = textsIn(locale);
  const [symbol] = examples;
  const chart =
    symbol === undefined
      ? ''
      : `<a href="/s/${escapeHtml(symbol)}"${path.startsWith('/s/') ? ' aria-current="page"' : ''}>${t('nav.chart')}</a>`;
  return `<nav class="phone-bar" aria-label="${t('shell.phone_bar')}">
${renderLink(path, '/', t('nav.home'))}${chart}${renderLink(path, '/backtest', t('nav.backtest'))}${renderLink(path, '/screener', t('nav.screener'))}
<button type="button" popovertarget="places">${t('shell.more')}</button>
</nav>`;
}

/** Readers without scripts learn what the page shows and where a program gets the same. */
function renderWithoutScripts({ preview, locale }: PageRequest): string {
  const t = textsIn(locale);
  return `<p>${escapeHtml(preview.description)}</p>${preview.body ?? ''}<p>${t('shell.no_script')}</p><p><a href="/docs">${t('nav.docs')}</a></p>`;
}
