/** The engines that read the tables, each in an environment of its own. */
import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPythonEnvironment, runScript, type Variables } from '../../support/python-environment.ts';

export interface Engine {
  /** The name that `--only` takes. */
  readonly name: string;
  readonly title: string;
  /** Pinned packages; null: it runs in Node, from the packages of this project. */
  readonly requirements: string | null;
  /** The lines that connect it, and the program that asks it. */
  readonly connection: string;
  readonly script: string;
  /** The catalog by a key, or the bucket of the tables by credentials for it. */
  readonly reads: 'catalog' | 'bucket';
  /** Whether a quick run leaves it out: it is large, or needs more than Python. */
  readonly isLarge: boolean;
  /** Other software that it needs, and the sign in its error that this is not there. */
  readonly needs?: { readonly what: string; readonly sign: string };
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const defineEngine = (name: string, title: string, more: Partial<Engine> = {}): Engine => ({
  name,
  title,
  requirements: pathOf(`${name}.txt`),
  connection: pathOf(`connect_${name}.py`),
  script: pathOf(`run_${name}.py`),
  reads: 'catalog',
  isLarge: false,
  ...more,
});

const ICEBIRD = {
  requirements: null,
  connection: pathOf('connect_icebird.ts'),
  script: pathOf('run_icebird.ts'),
} as const;
const MAVEN = { what: 'Java 17 and packages of Maven', sign: 'JAVA_GATEWAY_EXITED' } as const;

export const SPARK = defineEngine('spark', 'Spark', { isLarge: true, needs: MAVEN });

/** The slowest last. */
export const ENGINES: readonly Engine[] = [
  defineEngine('duckdb', 'DuckDB'),
  defineEngine('pyiceberg', 'pyiceberg and pandas'),
  defineEngine('polars', 'Polars'),
  defineEngine('datafusion', 'DataFusion'),
  defineEngine('icebird', 'icebird', ICEBIRD),
  defineEngine('bucket', 'DuckDB on the bucket', { requirements: pathOf('duckdb.txt'), reads: 'bucket' }),
  defineEngine('daft', 'Daft', { isLarge: true }),
  defineEngine('chdb', 'chDB', { reads: 'bucket', isLarge: true }),
  SPARK,
];

/** An interpreter with the packages of an engine. */
export interface Environment {
  /** The folder of their programs. */
  readonly programs: string;
  run<T>(script: string, input: unknown, variables: Variables): Promise<T>;
}

const node: Environment = {
  programs: dirname(process.execPath),
  run: (...call) => runScript(process.execPath, ...call),
};

/** @throws {PythonUnavailable} where its packages cannot be installed */
export async function openEnvironment(
  { requirements }: Engine,
  progress: (line: string) => void,
): Promise<Environment> {
  return requirements === null ? node : openPythonEnvironment(requirements, { progress });
}

/** The language of the lines that connect an engine, as Markdown names it. */
export const languageOf = ({ connection }: Engine) => (extname(connection) === '.ts' ? 'ts' : 'python');

/** The lines that connect an engine, below the command that installs its packages. */
export function linesOf({ requirements, connection }: Engine): string {
  return `${requirements === null ? '// npm install icebird' : `# pip install ${packagesOf(requirements)}`}\n${readFileSync(connection, 'utf8')}`;
}

function packagesOf(requirements: string): string {
  const lines = readFileSync(requirements, 'utf8').split('\n');
  return lines.filter((line) => /^\w/.test(line)).join(' ');
}
