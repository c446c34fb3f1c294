/** A start that cannot succeed ends at once with a reason of one sentence and sets up nothing. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portOf } from '../../../api/server/port-of.ts';
import { checkFreeSpace } from '../../../ops/processes/preflight.ts';
import { createEarlierDatabase } from '../../support/database.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const START = join(ROOT, 'ops/processes/start.mjs');
let directory: string;
let taken: Server;
let takenPort: number;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'preflight-'));
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  takenPort = portOf(taken);
});
afterAll(() => {
  taken.close();
  rmSync(directory, { recursive: true, force: true });
});

type Variables = Readonly<Record<string, string>>;

async function run(command: readonly string[], variables: Variables, cwd = ROOT) {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: join(directory, 'data'), ...variables };
  const child = spawn(command[0], command.slice(1), { env, cwd });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output, errors };
}

const start = (variables: Variables) => run([process.execPath, START], variables);

describe('a start', () => {
  it('is refused when the port is in use, before a database is created', async () => {
    const { code, output, errors } = await start({ PORT: String(takenPort) });
    expect(code).toBe(1);
    expect(output).toMatch(/^Starting on http:\/\/127\.0\.0\.1:\d+, data in \S+\n$/);
    expect(errors).toBe(
      `Port ${takenPort} on 127.0.0.1 is in use. Stop the program that listens there, or set PORT to another port.\n`,
    );
    expect(readdirSync(join(directory, 'data'))).toEqual([]);
  });

  it.each([
    ['/proc/x', 'the folder cannot be created there'],
    [join(START, 'data'), 'a part of the path is a file'],
    [START, 'there is a file of that name|a part of the path is a file'],
  ])('is refused on DATA_DIR %s', async (DATA_DIR, why) => {
    const { code, errors } = await start({ DATA_DIR, PORT: '0' });
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^DATA_DIR \\S+ cannot be used: (${why})\\. Set DATA_DIR [^\\n]+\\n$`));
  });

  it('is refused on an address of another machine', async () => {
    const { code, errors } = await start({ HOST: '192.0.2.1', PORT: '3000' });
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^HOST 192\.0\.2\.1 is not an address of this machine\.[^\n]+\n$/),
    });
  });

  it('is refused without the folder of its market, while none is loaded', async () => {
    const { code, errors } = await start({ PROVIDER: 'files', PROVIDER_DIR: '/nowhere', PORT: '0' });
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^PROVIDER_DIR: the provider folder \/nowhere cannot be read: [^\n]+\n$/),
    });
    expect(existsSync(join(directory, 'data', 'postgres'))).toBe(false);
  });

  it('is refused on a database from before the baseline migration, with instructions', async () => {
    const { url, drop } = await createEarlierDatabase();
    expect(await start({ DATABASE_URL: url, PORT: '0' })).toMatchObject({
      code: 1,
      errors: 'The database is of an earlier version and cannot be migrated: start version 0.3.0 with it once.\n',
    });
    await drop();
  });

  it('is refused with exit code 2 for an invalid variable', async () => {
    const { code, errors } = await start({ TRUST_PROXY: 'the nginx' });
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('  TRUST_PROXY: must be ') });
  });

  it('needs 500 MB of free space', async () => {
    // A file system without any space.
    await expect(checkFreeSpace({ DATA_DIR: '/proc' })).rejects.toThrow(/has 0 MB free, and 500 MB are needed/);
    await checkFreeSpace({ DATA_DIR: directory });
  });

  it.each(['api', 'worker', 'scheduler'])('of only the %s reports which database does not answer', async (name) => {
    const { code, output, errors } = await run([process.execPath, join(ROOT, `ops/processes/${name}.ts`)], {
      DATABASE_URL: 'postgresql://market:secret@127.0.0.1:1/market',
      PORT: '0',
    });
    expect({ code, output, errors }).toEqual({
      code: 1,
      output: '',
      errors: 'The database at 127.0.0.1:1 does not answer (ECONNREFUSED). Start it, or check DATABASE_URL.\n',
    });
  });
});

describe('the scripts', () => {
  const { scripts }: { scripts: Variables } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const scriptOf = (name: string) =>
    scripts[name].replaceAll(' ops/', ` ${ROOT}ops/`).replaceAll(/\bnode /g, `${process.execPath} `);

  it.each(['start', 'api', 'worker', 'scheduler'])(
    '%s reads .env of its working directory, and prefers the environment',
    async (name) => {
      writeFileSync(join(directory, '.env'), 'SCHEDULE=never\nTRUST_PROXY=the nginx\n');
      const { code, errors } = await run(['sh', '-c', scriptOf(name)], { TRUST_PROXY: 'true' }, directory);
      expect(code).toBe(2);
      expect(errors).toMatch(/ {2}SCHEDULE: must be/);
      expect(errors).not.toContain('TRUST_PROXY');
    },
  );

  it('need no .env file', async () => {
    rmSync(join(directory, '.env'), { force: true });
    const command = `${scriptOf('ops')} login-code ada@example.com`;
    const { code, errors } = await run(['sh', '-c', command], {}, directory);
    expect({ code, errors }).toEqual({
      code: 1,
      errors: `no login mail to ada@example.com in ${join(directory, 'data', 'outbox')}\n`,
    });
  });
});

describe('the command line', () => {
  const ops = (...args: string[]) => run([process.execPath, join(ROOT, 'ops/commands/cli.ts'), ...args], {});

  it.each([[['frobnicate']], [['sync', 'frobnicate']], [['doctor', '--frobnicate']]])(
    'ends with 2 for %j',
    async (args) => {
      const { code, errors } = await ops(...args);
      expect({ code, errors }).toEqual({
        code: 2,
        errors: expect.stringMatching(/^error: unknown (command|option) '(--)?frobnicate'\n/),
      });
    },
  );

  it.each([
    [['sync', 'run', '--start', 'soon'], 1],
    [['--help'], 0],
  ])('ends %j with %d', async (args, code) => {
    expect((await ops(...args)).code).toBe(code);
  });
});
