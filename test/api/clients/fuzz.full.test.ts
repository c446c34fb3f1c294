/** The running service under what schemathesis makes of its description, for every kind of caller. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { openPythonTools } from '../../support/python-client.ts';

const CONFIGURATION = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
const run = promisify(execFile);
const python = await openPythonTools('schemathesis');

let service: ClientService;
let linksFollowed = 0;

type Caller = readonly [name: string, phases: string, headers: () => Promise<readonly string[]>];

/** Examples, values at random, and calls with what earlier answers name. */
const SHORT = 'examples,fuzzing,stateful';
/** All boundaries of every field too, which takes two minutes: as the caller who may call everything. */
const LONG = `coverage,${SHORT}`;

(python ? describe : describe.skip)('schemathesis finds nothing', () => {
  beforeAll(async () => {
    service = await openClientService({
      RATE_LIMIT_FACTOR: '1000',
      BACKTEST_WAIT_S: '2',
    });
    const description = await fetch(`${service.url}/openapi.json`);
    writeFileSync(join(service.directory, 'openapi.json'), await description.text());
    // Until an example is computed, the first call of it is answered with 503, as the description says.
    for (const kind of ['backtest', 'portfolio', 'optimize', 'sweeps'])
      await eventually(
        () => fetch(`${service.url}/v1/${kind}/example`),
        ({ status }) => status === 200,
      );
  }, deadline(120_000));
  afterAll(() => service.close());

  it.each([
    ['guest', SHORT, async () => []],
    ['free', SHORT, async () => [`X-API-Key: ${await service.addKey('free')}`]],
    ['pro', SHORT, async () => [`X-API-Key: ${await service.addKey('pro')}`]],
    ['admin', LONG, async () => [`Authorization: Bearer ${await service.addAdmin()}`]],
  ] satisfies readonly Caller[])(
    'as %s',
    async (_, phases, headersOf) => {
      const headers = (await headersOf()).flatMap((header) => ['--header', header]);
      const words = ['-m', 'schemathesis.cli', '--config-file', CONFIGURATION, '--no-color', 'run', 'openapi.json'];
      const ended = run(String(python), [...words, '--url', service.url, '--phases', phases, ...headers], {
        cwd: service.directory,
        maxBuffer: 1 << 26,
      });
      const { stdout } = await ended.catch((failed: { stdout: string }) => failed);
      linksFollowed += Number(/(\d+) covered/.exec(stdout)?.[1] ?? 0);
      expect(stdout).toMatch(/No issues found/);
    },
    deadline(120_000),
  );

  it('with what answers named, too', () => {
    expect(linksFollowed).toBeGreaterThan(0);
  });
});
