/** The Python client as a wheel: with every version of Python that is here, as type checkers see it, and in notebooks. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { deadline } from '../../support/deadlines.ts';
import { findPythons, installPythonClient, type PythonClient, TOOLS } from '../../support/python-client.ts';
import { describePackage } from '../../support/python-package.ts';

const CLIENT = fileURLToPath(new URL('../../../api/clients/python', import.meta.url));
const EXAMPLES = join(CLIENT, 'examples');
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

for (const [name, python] of await findPythons()) describePackage(name, await installPythonClient(name, { python }));

const tools = await installPythonClient(undefined, { libraries: TOOLS });

(tools ? describe : describe.skip)('for tools', () => {
  const run: PythonClient['run'] = (...words) => required(tools).run(...words);
  let service: ClientService;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    service = await openClientService();
    env = { MARKET_API_URL: service.url, MARKET_API_KEY: await service.addKey('enterprise') };
  });
  afterAll(() => service.close());

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
