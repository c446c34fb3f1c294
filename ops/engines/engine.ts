/** The engines that read the tables, each in an environment of its own. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Engine {
  /** The name that `--only` takes. */
  readonly name: string;
  readonly title: string;
  /** Pinned packages, the lines that connect it, and the program that asks it. */
  readonly requirements: string;
  readonly connection: string;
  readonly script: string;
  /** Other software that it needs, and the sign in its error that this is not there. */
  readonly needs?: { readonly what: string; readonly sign: string };
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const defineEngine = (name: string, title: string, needs?: Engine['needs']): Engine => ({
  name,
  title,
  requirements: pathOf(`${name}.txt`),
  connection: pathOf(`connect_${name}.py`),
  script: pathOf(`run_${name}.py`),
  needs,
});

export const SPARK = defineEngine('spark', 'Spark', {
  what: 'Java 17 and packages of Maven',
  sign: 'JAVA_GATEWAY_EXITED',
});

/** The slowest last. */
export const ENGINES: readonly Engine[] = [
  defineEngine('duckdb', 'DuckDB'),
  defineEngine('pyiceberg', 'pyiceberg and pandas'),
  defineEngine('polars', 'Polars'),
  defineEngine('datafusion', 'DataFusion'),
  SPARK,
];

/** The lines that connect an engine, below the command that installs its packages. */
export function linesOf({ requirements, connection }: Engine): string {
  const packages = readFileSync(requirements, 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line));
  return `# pip install ${packages.join(' ')}\n${readFileSync(connection, 'utf8')}`;
}
