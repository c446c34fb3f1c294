/** The Python client as a wheel: with every version of Python that is here, as type checkers see it, and in notebooks. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { deadline } from '../../support/deadlines.ts';
import { findPythons, installPythonClient, type PythonClient, TOOLS } from '../../support/python-client.ts';

const CLIENT = fileURLToPath(new URL('../../../api/clients/python', import.meta.url));
const EXAMPLES = join(CLIENT, 'examples');
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const pythons = await Promise.all(
  [...(await findPythons())].map(async ([name, python]) => ({
    name,
    client: await installPythonClient(name, { python }),
  })),
);
const tools = await installPythonClient(undefined, { libraries: TOOLS });

let service: ClientService;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await openClientService();
  env = { MARKET_API_URL: service.url, MARKET_API_KEY: await service.addKey('enterprise') };
});
afterAll(() => service.close());

const TYPES = {
  pandas: ['datetime64[ns]', 'float64', 'float64', 'float64', 'float64', 'int64'],
  polars: ['Date', 'Float64', 'Float64', 'Float64', 'Float64', 'Int64'],
  pyarrow: ['date32[day]', 'double', 'double', 'double', 'double', 'int64'],
};

for (const { name, client } of pythons) {
  (client ? describe : describe.skip)(`with ${name}`, () => {
    const run: PythonClient['run'] = (...words) => required(client).run(...words);

    it('is installed with its types, under its version', async () => {
      const code = `
import importlib.metadata as metadata, pathlib, market_data
print(metadata.version("market-data-client"), pathlib.Path(market_data.__file__).with_name("py.typed").exists())`;
      const { version } = JSON.parse(readFileSync(here('../../../package.json'), 'utf8'));
      expect(await run(['-c', code])).toBe(`${version} True\n`);
    });

    it('makes the same frames of every result for pandas, polars, and pyarrow', async () => {
      const { types, rows, day, missing, html, unknown, verdict } = JSON.parse(await run([here('frames.py')], env));
      expect(types).toEqual(TYPES);
      expect(rows).toMatchObject({ candles: 30, opens: 30, history: 30, symbols: 3, 'sql without rows': 0, sql: 38 });
      expect(day).toBe(true);
      expect(rows).toMatchObject({ 'sheet regression': 2, 'sheet bands': 60, 'sheet months': 12 + 1 });
      expect(verdict[0].length).toBeGreaterThan(3);
      expect(verdict[1]).toEqual(verdict[0]);
      expect(missing).toEqual(
        Object.keys(TYPES).map((kind) => `${kind} is not installed: pip install "market-data-client[${kind}]"`),
      );
      expect(unknown).toBe('"numpy" is not a kind of frame: use "pandas", "polars", or "pyarrow"');
      for (const shown of Object.values(html)) expect(shown).toMatch(/^<table>.*<tbody>.*<\/tbody><\/table>/);
      expect(html.candles).toMatch(/<caption[^>]*>ACRX\.US, day, adjust none, 30 rows<\/caption>/);
      expect(html.backtest).toMatch(/<\/table><svg [\s\S]*<polyline [\s\S]*<\/svg>$/);
    });
  });
}

(tools ? describe : describe.skip)('for tools', () => {
  const run: PythonClient['run'] = (...words) => required(tools).run(...words);

  it('it and a program that uses it pass mypy --strict', async () => {
    const mypy = ['-m', 'mypy', '--strict', '--no-error-summary', '--cache-dir', join(service.directory, 'mypy')];
    const check = (...args: string[]) => run([...mypy, ...args]).catch(({ stdout }) => stdout);
    expect(await check(join(CLIENT, 'market_data'))).toBe('');
    // Outside of the checkout, which has the sources of the package.
    const program = join(service.directory, 'typed_program.py');
    cpSync(here('typed_program.py'), program);
    expect(await check(program)).toBe('');
  });

  it(
    'its notebooks run, and show tables and pictures',
    async () => {
      const folder = join(service.directory, 'notebooks');
      mkdirSync(folder);
      const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ipynb'));
      for (const name of names) cpSync(join(EXAMPLES, name), join(folder, name));
      const home = { IPYTHONDIR: folder, JUPYTER_DATA_DIR: folder, JUPYTER_RUNTIME_DIR: folder };
      const printed = await run([here('notebooks.py'), ...names.map((name) => join(folder, name))], {
        ...env,
        ...home,
      });
      const shown: string[][][] = JSON.parse(printed);
      expect(shown).toHaveLength(2);
      for (const outputs of shown) {
        const types = outputs.flat();
        expect(types.filter((type) => type === 'image/png').length).toBeGreaterThan(2);
        expect(types.filter((type) => type === 'text/html').length).toBeGreaterThan(2);
      }
      if (process.env.RECORD_NOTEBOOKS) for (const name of names) cpSync(join(folder, name), join(EXAMPLES, name));
      for (const name of names) expect(outputsOf(join(folder, name))).toEqual(outputsOf(join(EXAMPLES, name)));
    },
    deadline(180_000),
  );
});

/** Returns what the cells of a notebook show: the tables, and the texts of what has none. The bytes of pictures depend on the machine. */
function outputsOf(path: string): unknown {
  const { cells } = JSON.parse(readFileSync(path, 'utf8'));
  return cells.map(({ outputs = [] }) => outputs.map(({ data }: Shown) => data['text/html'] ?? data['text/plain']));
}

interface Shown {
  readonly data: Readonly<Record<string, unknown>>;
}
