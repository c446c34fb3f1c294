/** Article pages, and articles with hostile text, which must not run scripts in the browser. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { articleHtml, sanitized } from '../../api/articles/html.ts';
import { addAdmin } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';
import { pictureName, VIEWS } from '../support/views.ts';

/** Each calls `hit()` unless something stops it. */
const VECTORS = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<img src="x` `<script>hit()</script>"` `>',
  '<svg onload=hit()>',
  '<svg><script>hit()</script></svg>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><img src=x onerror=hit()></style></mglyph></table></mtext></math>',
  '<a href="javascript:hit()">press</a>',
  '<a href="java\nscript:hit()">press</a>',
  '<a href="&#106;avascript&colon;hit()">press</a>',
  '<a href=" \u0001javascript:hit()">press</a>',
  '<a href="data:text/html,<script>parent.hit()</script>">press</a>',
  '<a href="vbscript:hit()">press</a>',
  '<a href="/x" onmouseover=hit() autofocus onfocus=hit() tabindex=1>press</a>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<iframe src="javascript:parent.hit()"></iframe>',
  '<object data="javascript:hit()"></object><embed src="javascript:hit()">',
  '<form action="javascript:hit()"><button>press</button></form>',
  '<details open ontoggle=hit()><summary>press</summary></details>',
  '<video><source onerror=hit()></video><audio src=x onerror=hit()>',
  '<input autofocus onfocus=hit()><select autofocus onfocus=hit()></select><textarea autofocus onfocus=hit()></textarea>',
  '<body onload=hit()><marquee onstart=hit()>x</marquee>',
  '<style>@import "javascript:hit()"; * { background: url("javascript:hit()") }</style>',
  '<p style="background:url(javascript:hit())">x</p>',
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<template><script>hit()</script></template><xmp><p title="</xmp><img src=x onerror=hit()>">',
  '<!--><img src=x onerror=hit()>-->',
  '<![CDATA[><img src=x onerror=hit()>]]>',
  '<p><<script>hit()//<</script>',
  '<base href="javascript:hit()//"><a href="x">press</a>',
  '<meta http-equiv="refresh" content="0;url=javascript:hit()">',
  '<link rel=stylesheet href="javascript:hit()">',
  '<img src="/icon.svg" srcset="x 1x" onload=hit() onerror=hit()>',
  '[press](javascript:hit())',
  '[press](<javascript:hit()>)',
  '[press](JaVaScRiPt:hit())',
  '[press](java&#x09;script:hit())',
  '[press](data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==)',
  '![x](javascript:hit())',
  '![x"onerror="hit()](/x)',
  '![x](/x"onerror="hit\\(\\))',
  '[press](/x "onmouseover=\\"hit()")',
  '<javascript:hit()>',
  '[press]: javascript:hit()\n\n[press]',
  '```"><img src=x onerror=hit()>\nx\n```',
  '`<img src=x onerror=hit()>`',
  '| a |\n|:-:|\n| <img src=x onerror=hit()> |',
];

const TEXT = `A stop that **follows** the price.

## When it helps

| symbol | return |
|:-------|-------:|
| ACRX   | 12.5 % |

1. Buy.
2. Wait.

> A quote with a [link](/s/ACRX) and [another](https://example.com/a).

\`\`\`
curl https://example.com/a/very/long/address/that/does/not/fit/on/the/narrow/screen/of/a/phone/without/moving
\`\`\`

![A picture from elsewhere](https://example.com/picture.png)`;

/** The API takes no control characters in a text. */
const isText = (vector: string) => !vector.includes('\u0001');

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ isLoaded: false });
  const admin = await addAdmin(site.api);
  const write = async (slug: string, category: string, contents: object) => {
    await site.api.post('/api/admin/articles', { slug, category, contents }, admin.console);
    const published = await site.api.post(`/api/admin/articles/${slug}/publish`, {}, admin.console);
    if (published.status !== 200) throw new Error(`${slug}: ${published.text}`);
  };
  const inAll = (title: string, body_md: string) => {
    const text = { title, summary: 'A stop that follows the price.', body_md };
    return {
      en: text,
      'zh-CN': { ...text, title: `追踪止损：${title}` },
      'zh-TW': { ...text, title: `追蹤停損：${title}` },
    };
  };
  await write('trailing-stop', 'strategy', inAll('What is a trailing stop?', TEXT));
  await write('what-is-tried', 'data', inAll('What is tried', VECTORS.filter(isText).join('\n\n')));
  await write('only-chinese', 'concept', { 'zh-CN': { title: '只有中文', body_md: '正文。' } });
});
afterAll(() => site.close());

describe('articles', () => {
  it('are listed by category, read, and followed by links to others', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/articles');
    await page.getByRole('link', { name: 'What is tried' }).waitFor();
    await page.getByRole('radiogroup', { name: 'Category' }).getByText('Strategies', { exact: true }).click();
    await page.getByRole('link', { name: 'What is tried' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('link', { name: 'What is tried' }).waitFor();
    await page.goto('/articles?category=backtest');
    await page.getByRole('heading', { name: 'There are no articles here yet' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto('/articles/trailing-stop');
    await page.getByRole('heading', { level: 1, name: 'What is a trailing stop?' }).waitFor();
    await page.getByRole('cell', { name: '12.5 %' }).waitFor();
    expect(await page.locator('.prose img').count()).toBe(0);
    await page.getByRole('link', { name: 'A picture from elsewhere' }).waitFor();
    await page.getByRole('navigation', { name: 'Other articles' }).getByRole('link').first().click();
    await page.waitForURL(/only-chinese|what-is-tried/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('can be read without scripts and have link previews, in the language of the page', async () => {
    const ask = async (path: string, language: string) => {
      const headers = { accept: 'text/html', 'accept-language': language };
      const response = await fetch(`${site.url}${path}`, { headers });
      return { status: response.status, html: await response.text() };
    };
    const { html } = await ask('/articles/trailing-stop', 'zh-TW');
    expect(html).toContain('<meta property="og:title" content="追蹤停損：What is a trailing stop?">');
    expect(html).toMatch(/<h1>追蹤停損.*<noscript>.*<h2>When it helps<\/h2>/s);
    expect((await ask('/articles/nothing-here', 'en')).status).toBe(404);
    const { page, context } = await site.open();
    await page.goto('/articles/only-chinese');
    await page.getByText('This article is not translated into English.').waitFor();
    expect(await page.locator('.prose header').getAttribute('lang')).toBe('zh-CN');
    await page.goto('/articles/nothing-here');
    await page.getByRole('heading', { name: 'There is no such article' }).waitFor();
    await page.getByRole('link', { name: 'All articles' }).click();
    await page.waitForURL('**/articles');
    await context.close();
  });
});

describe('a text that tries to run a script', () => {
  /** Runs HTML in a page without any policy that would stop it. */
  const hits = async (texts: readonly string[]) => {
    const { page, context } = await site.open();
    await page.goto('about:blank');
    // Following a link to a page is no attack, and would end the test.
    await page.evaluate(`
      globalThis.hits = 0;
      globalThis.hit = () => { globalThis.hits++; };
      document.addEventListener('click', (event) => {
        const href = event.target.closest('a')?.getAttribute('href') ?? '';
        if (/^(\\/|https?:|mailto:)/.test(href)) event.preventDefault();
      });
    `);
    for (const html of texts) {
      await page.evaluate(`document.body.innerHTML = ${JSON.stringify(html)}`);
      for (const pressed of await page.locator('a, button, summary').all()) {
        await pressed.dispatchEvent('click');
        if (page.url() !== 'about:blank') throw new Error(`${html} leads to ${page.url()}`);
      }
    }
    // Errors of loads are reported in later tasks.
    await page.evaluate('new Promise((done) => { const i = new Image(); i.onerror = done; i.src = "x:"; })');
    const count = await page.evaluate('globalThis.hits');
    const left = await page.evaluate(
      'document.querySelectorAll("script, style, iframe, object, embed, svg, math, form, input, base, meta, link").length',
    );
    await context.close();
    return { count, left };
  };
  it('succeeds where nothing stops it, so that the next tests mean something', async () => {
    const { count } = await hits(['<img src="x:" onerror="hit()">', '<details open ontoggle="hit()">x</details>']);
    expect(count).toBeGreaterThanOrEqual(1);
  });

  it('runs nothing as Markdown', async () => {
    const texts = await Promise.all(VECTORS.map(articleHtml));
    expect(await hits(texts)).toEqual({ count: 0, left: 0 });
  });

  it('runs nothing as sanitized HTML', async () => {
    expect(await hits(VECTORS.map(sanitized))).toEqual({ count: 0, left: 0 });
    for (const html of VECTORS.map(sanitized)) expect(html).not.toMatch(/<[^>]*\s(on\w+|style|srcset)\s*=/i);
  });

  it('is shown as text, on a page without errors', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/articles/what-is-tried');
    await page.getByText('<script>hit()</script>').first().waitFor();
    expect(await page.locator('.prose :is(script, style, iframe, object, embed, svg, form, input, base)').count()).toBe(
      0,
    );
    const links = await page
      .locator('.prose a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((href) => !/^(\/|https?:|mailto:|$)/.test(href))).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await context.close();
  });
});

describe.each(VIEWS)('in $locale, $theme, $width px wide', (view) => {
  it('articles fit and are accessible', async () => {
    const { page, context, faults } = await site.open(view);
    for (const [path, ready] of [
      ['/articles', '.article-list'],
      ['/articles/trailing-stop', '.prose table'],
    ]) {
      await page.goto(path);
      await page.locator(ready).waitFor();
      expect([path, await findings(page)]).toEqual([path, []]);
      expect([path, await isTooWide(page)]).toEqual([path, false]);
      await keepPicture(page, pictureName(path, view));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
