/** How each engine connects, for the site, and a part of LAKE.md with that and what the engines answered. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENGINES, type Engine, linesOf } from './engine.ts';
import { type EngineResult, queriesOf } from './report.ts';

const PAGE = fileURLToPath(new URL('../docs/LAKE.md', import.meta.url));
const CONNECTIONS = fileURLToPath(new URL('../../api/site/connections.json', import.meta.url));

const BETWEEN_MARKERS = /(?<=<!-- engines:begin -->\n)[\s\S]*(?=<!-- engines:end -->)/;

/** The lines that connect an engine, which are those of its program. */
export function connectionOf(engine: Engine): string {
  return `**${engine.title}**\n\n\`\`\`python\n${linesOf(engine)}\`\`\`\n`;
}

/** The lines that connect every engine, for the page `/data`. */
export function connectionsText(): string {
  const connections = ENGINES.map((engine) => ({ title: engine.title, lines: linesOf(engine) }));
  return `${JSON.stringify(connections, null, 2)}\n`;
}

export function writePage(results: readonly EngineResult[]): void {
  writeFileSync(CONNECTIONS, connectionsText());
  const queries = queriesOf(results);
  const head = ['query', 'rows', ...results.map(({ engine }) => engine.title)];
  const rows = [
    head,
    head.map(() => '---'),
    ...queries.map(({ name, rows: count, digests }) => [`\`${name}\``, count, ...digests]),
    ['calls of the catalog', '', ...results.map(({ calls }) => calls.catalog)],
  ];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const text = `${results.map(({ engine }) => connectionOf(engine)).join('\n')}\n${table}`;
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(BETWEEN_MARKERS, () => text),
  );
}
