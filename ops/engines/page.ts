/** The part of LAKE.md that shows how each engine connects, and what it answered. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Engine } from './engine.ts';
import { type EngineResult, queriesOf } from './report.ts';

const PAGE = fileURLToPath(new URL('../docs/LAKE.md', import.meta.url));

const BETWEEN_MARKERS = /(?<=<!-- engines:begin -->\n)[\s\S]*(?=<!-- engines:end -->)/;

/** The lines that connect an engine, which are those of its program. */
export function connectionOf({ title, connection }: Engine): string {
  return `**${title}**\n\n\`\`\`python\n${readFileSync(connection, 'utf8')}\`\`\`\n`;
}

export function writePage(results: readonly EngineResult[]): void {
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
