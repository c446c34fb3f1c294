/** The text of an article as safe HTML: from Markdown without raw HTML, with no scripts, and nothing loaded from other hosts. */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import MarkdownIt, { type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

const CACHED_CHARACTERS = 4_000_000;
/** Nesting of lists and quotes; deeper ones stay text. */
const MAX_NESTING = 20;
const MAX_SLICE_MS = 10;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: MAX_NESTING });

const ALIGNED = new Map([
  ['text-align:right', 'number'],
  ['text-align:center', 'centered'],
]);

/** The title of the article is the page's first heading, so headings of the text come below it. */
const LOWER_HEADINGS = { h1: 'h2', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h4', h6: 'h4' };

/** The Content-Security-Policy allows no style attributes, so alignment becomes a class. */
function cell(tagName: string, { style = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const name = ALIGNED.get(style);
  return { tagName, attribs: name === undefined ? {} : { class: name } };
}

function link(tagName: string, { href = '', title = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const attribs: sanitizeHtml.Attributes = title === '' ? {} : { title };
  if (isOwn(href)) attribs.href = href;
  else if (isElsewhere(href)) Object.assign(attribs, { href, rel: 'noreferrer nofollow' });
  return { tagName, attribs };
}

/** Pages load nothing from other hosts, so an external image becomes a link to it. */
function image(_tagName: string, { src = '', alt = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  if (isOwn(src)) return { tagName: 'img', attribs: { src, alt, loading: 'lazy' } };
  return { ...link('a', { href: src }), text: alt || src };
}

/** Paths of the site itself; `//host` and `/\host` lead to other hosts. */
const isOwn = (address: string) => /^(#|\/(?![/\\]))/.test(address);

const isElsewhere = (address: string) => /^(https?:\/\/|mailto:)/i.test(address);

const RULES: sanitizeHtml.IOptions = {
  allowedTags: [
    ...[
      'h2',
      'h3',
      'h4',
      'p',
      'ul',
      'ol',
      'li',
      'blockquote',
      'pre',
      'code',
      'em',
      'strong',
      's',
      'hr',
      'br',
      'a',
      'img',
    ],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'loading'],
    ol: ['start'],
    th: ['class'],
    td: ['class'],
  },
  allowedClasses: { th: [...ALIGNED.values()], td: [...ALIGNED.values()] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    ...LOWER_HEADINGS,
    a: link,
    img: image,
    th: cell,
    td: cell,
  },
};

/** HTML with only the tags and attributes of formatted text. */
export function sanitized(html: string): string {
  return sanitizeHtml(html, RULES);
}

const cache = new LRUCache<string, string>({
  maxSize: CACHED_CHARACTERS,
  sizeCalculation: (html, source) => html.length + source.length + 1,
});

/** The HTML of a Markdown text, cached. */
export async function articleHtml(source: string): Promise<string> {
  let html = cache.get(source);
  if (html === undefined) {
    html = await render(source);
    cache.set(source, html);
  }
  return html;
}

/** Renders block by block, so that other calls are answered between the blocks of a long text. */
async function render(source: string): Promise<string> {
  const env = {};
  const tokens: Token[] = [];
  markdown.block.parse(source.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD'), markdown, env, tokens);
  const parts: string[] = [];
  let since = performance.now();
  for (const block of blocksOf(tokens)) {
    const state = new markdown.core.State('', markdown, env);
    state.tokens = block;
    markdown.core.process(state);
    parts.push(sanitized(markdown.renderer.render(state.tokens, markdown.options, env)));
    if (performance.now() - since < MAX_SLICE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return parts.join('');
}

/** The tokens of each top-level block: a paragraph, a list, a table. */
function* blocksOf(tokens: readonly Token[]): Generator<Token[]> {
  let start = 0;
  for (const [i, { level, nesting }] of tokens.entries()) {
    if (level > 0 || nesting > 0) continue;
    yield tokens.slice(start, i + 1);
    start = i + 1;
  }
}
