/** How each engine connects, for the site, and the parts of LAKE.md with that, its answers, and what Spark computed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENGINES, type Engine, languageOf, linesOf } from './engine.ts';
import { type EngineResult, queriesOf } from './report.ts';
import { type SparkComparison, SWEEP_COMMANDS } from './spark-sweep.ts';

const PAGE = fileURLToPath(new URL('../../../ops/docs/LAKE.md', import.meta.url));

const between = (name: string) => new RegExp(`(?<=<!-- ${name}:begin -->\\n)[\\s\\S]*(?=<!-- ${name}:end -->)`);
const CONNECTIONS = fileURLToPath(new URL('../../../api/site/connections.json', import.meta.url));
const PANEL_QUERY = fileURLToPath(new URL('../../../ops/deploy/spark/panel.sql', import.meta.url));

/** The lines that connect an engine, which are those of its program. */
export function connectionOf(engine: Engine): string {
  return `**${engine.title}**\n\n\`\`\`${languageOf(engine)}\n${linesOf(engine)}\`\`\`\n`;
}

/** The lines that connect every engine, for the page `/data`. */
export function connectionsText(): string {
  const connections = ENGINES.map((engine) => ({ title: engine.title, lines: linesOf(engine) }));
  return `${JSON.stringify(connections, null, 2)}\n`;
}

/** The commands of a sweep on Spark, as they run. */
export function sweepCommands(): string {
  return `\`\`\`sh\n${SWEEP_COMMANDS.build}\n${SWEEP_COMMANDS.submit}\n\`\`\`\n`;
}

/** The query of the panel, as it runs. */
export function panelQuery(): string {
  return `\`\`\`sql\n${readFileSync(PANEL_QUERY, 'utf8')}\`\`\`\n`;
}

function sparkPart({
  cells,
  digests: [workers, spark, afterKill],
  killedAfter,
  tasks,
  panel,
}: SparkComparison): string {
  const { rows, sessions, largestDifference } = panel;
  return [
    `${sweepCommands()}\n`,
    '| cells of a sweep | number | digest |\n| --- | --- | --- |\n',
    `| the service's workers | ${cells} | ${workers} |\n`,
    `| Spark, two executors | ${cells} | ${spark} |\n`,
    `| Spark, an executor killed after ${killedAfter} of ${tasks} tasks | ${cells} | ${afterKill} |\n\n`,
    `${panelQuery()}\n`,
    `Scores of ${rows} rows in ${sessions} months differ from those of the rotation by at most ${largestDifference.toExponential(0)}; `,
    'ranks and picks are equal.\n',
  ].join('');
}

export function writePage(results: readonly EngineResult[], spark: SparkComparison): void {
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
  const page = readFileSync(PAGE, 'utf8')
    .replace(between('engines'), () => text)
    .replace(between('spark'), () => sparkPart(spark));
  writeFileSync(PAGE, page);
}
