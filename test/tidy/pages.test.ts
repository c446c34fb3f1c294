/** Markdown pages: every link works, what they name exists, the indexes are complete, and the README is short. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README_LINES = 200;
const ARCHITECTURE_LINES = 199;
const CHANGELOG_LINES = 90;
const ALL_WORDS = 20_000;
const DECISION_WORDS = 250;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** Words have a letter or a digit: the lines of tables do not count. */
const wordsOf = (text: string) => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
/** Paths of the repository that a page names as code, without their ends (`:12`, `/`). */
const pathsNamedIn = (page: string) =>
  [...read(page).matchAll(/`((?:api|jobs|engine|db|storage|migrations|ops|test)\/[\w./-]*\w)\/?`/g)].map(
    ([, path]) => path,
  );
const foldersIn = (path: string) =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const withoutCode = (text: string) => text.replaceAll(/^( *)```.*?^\1```$/gms, '').replaceAll(/`[^`\n]*`/g, '`');

/** A page without what is generated into it. */
const withoutDrawings = (text: string) => text.replaceAll(/(<!-- (\w+):begin -->).*?(<!-- \2:end -->)/gs, '$1$3');

/** Anchors of a page's headings, as GitHub makes them: the second of two equal ones ends with `-1`. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = read(page)
    .replaceAll(/^( *)```.*?^\1```$/gms, '')
    .matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, heading]) => {
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-');
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

/** Links of a page that lead nowhere in the repository. */
function brokenLinks(page: string): string[] {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path, anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
}

/** Texts that the site shows: the guides, which `guides.full.test.ts` reads, and the first articles. */
const SHOWN = /^api\/(site\/guides|articles\/first)\//;
const PAGES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((page) => page !== '' && !SHOWN.test(page) && existsSync(join(ROOT, page)));

describe('the pages', () => {
  it('link to files and headings that exist', () => {
    expect(PAGES).toContain('README.md');
    expect(PAGES.flatMap((page) => brokenLinks(page).map((link) => `${page}: ${link}`))).toEqual([]);
  });

  it('name files and folders that exist', () => {
    const named = PAGES.flatMap((page) => pathsNamedIn(page).map((path) => ({ page, path })));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('query the bars of one venue mode', () => {
    const queries = PAGES.flatMap((page) => [...read(page).matchAll(/\bsql (["'])(select .*?)\1/gs)]);
    const ofBars = queries
      .map(([, , query]) => query)
      .filter((query) => /\bfrom (bars|bars_adjusted|sessions)\b/.test(query));
    expect(ofBars.length).toBeGreaterThan(3);
    expect(ofBars.filter((query) => !query.includes("venue_mode = 'consolidated'"))).toEqual([]);
  });

  it('name every room of every folder in ARCHITECTURE', () => {
    const rows = [...read('ops/docs/ARCHITECTURE.md').matchAll(/^\| `(\w+)\/` \|[^|]*\|([^|]*)\|/gm)];
    const named = rows.map(([, folder, rooms]) => ({
      folder,
      rooms: [...rooms.matchAll(/`([\w-]+)`/g)].map(([, room]) => room).sort(),
    }));
    expect(named.map(({ folder }) => folder)).toEqual(expect.arrayContaining(['engine', 'db', 'jobs', 'api', 'ops']));
    const withRooms = named.filter(({ folder }) => !['test', 'migrations'].includes(folder));
    expect(withRooms).toEqual(withRooms.map(({ folder }) => ({ folder, rooms: foldersIn(folder).sort() })));
  });

  it('begin with the question that they answer, in the line after the title', () => {
    expect(PAGES.filter((page) => !/^# .+\n\n.+\?\n/.test(read(page)))).toEqual([]);
  });

  it('are read in one go', () => {
    const linesOf = (page: string) => withoutDrawings(read(page)).trimEnd().split('\n').length;
    expect(linesOf('README.md')).toBeLessThanOrEqual(README_LINES);
    expect(linesOf('ops/docs/ARCHITECTURE.md')).toBeLessThanOrEqual(ARCHITECTURE_LINES);
    expect(linesOf('ops/docs/CHANGELOG.md')).toBeLessThanOrEqual(CHANGELOG_LINES);
  });

  it('have at most 20,000 words together', () => {
    const words = PAGES.map((page) => wordsOf(withoutDrawings(read(page)))).reduce((sum, count) => sum + count, 0);
    expect(words).toBeLessThanOrEqual(ALL_WORDS);
  });

  it('list every decision, which says when it was made and is short', () => {
    const decisions = readdirSync(join(ROOT, 'ops/decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name));
    const index = read('ops/decisions/README.md');
    const wrong = decisions.filter((name) => {
      const text = read(`ops/decisions/${name}`);
      const title = /^# (.+)$/m.exec(text)?.[1];
      const isDated = /^Decided \d{4}-\d\d-\d\d\.$/m.test(text);
      const line = `\n- [${name.slice(0, 4)}](${name}) ${title}\n`;
      return !title || !isDated || !index.includes(line) || wordsOf(text) > DECISION_WORDS;
    });
    expect(wrong).toEqual([]);
    expect(new Set(decisions.map((name) => name.slice(0, 4))).size).toBe(decisions.length);
    expect(index.match(/^- \[\d{4}\]/gm)).toHaveLength(decisions.length);
  });

  it('say of every package that is installed by name what it is for', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const { dependencies: ofJudges } = JSON.parse(read('test/judges/package.json'));
    const named = [...read('ops/docs/DEPENDENCIES.md').matchAll(/^- `([^`]+)`: .+$/gm)];
    const installed = Object.keys({ ...dependencies, ...devDependencies, ...ofJudges }).filter(
      (name) => !name.startsWith('@types/'),
    );
    expect(named.map(([, name]) => name).sort()).toEqual(installed.sort());
  });

  it('name the version of the package in the changelog, newest first', () => {
    const { version }: { version: string } = JSON.parse(read('package.json'));
    const [newest, ...older] = [...read('ops/docs/CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(newest).toBe('Unreleased');
    expect(older[0].split(' ')).toEqual([version, expect.stringMatching(/^\(\d{4}-\d\d-\d\d\)$/)]);
  });
});
