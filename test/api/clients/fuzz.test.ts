/** The running service under what schemathesis makes of its description, for every kind of caller. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { deadline } from '../../support/deadlines.ts';
import { openPythonTools } from '../../support/python-client.ts';

const CONFIGURATION = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
const run = promisify(execFile);
const python = await openPythonTools('schemathesis');

/** For each caller. All of a phase's requests are sent, then others at random until the time is over. */
const SECONDS = 45;

let service: ClientService;

type Caller = readonly [name: string, headers: () => Promise<readonly string[]>];

(python ? describe : describe.skip)('schemathesis finds nothing', () => {
  beforeAll(async () => {
    service = await openClientService({
      RATE_LIMIT_FACTOR: '1000',
      PUBLIC_READS_PER_MINUTE: '1000',
      BACKTEST_WAIT_S: '5',
    });
    const description = await fetch(`${service.url}/openapi.json`);
    writeFileSync(join(service.directory, 'openapi.json'), await description.text());
  });
  afterAll(() => service.close());

  it.each([
    ['guest', async () => []],
    ['free', async () => [`X-API-Key: ${await service.addKey('free')}`]],
    ['pro', async () => [`X-API-Key: ${await service.addKey('pro')}`]],
    ['admin', async () => [`Authorization: Bearer ${await service.addAdmin()}`]],
  ] satisfies readonly Caller[])(
    'as %s',
    async (_, headersOf) => {
      const headers = (await headersOf()).flatMap((header) => ['--header', header]);
      const words = ['-m', 'schemathesis.cli', '--config-file', CONFIGURATION, '--no-color', 'run', 'openapi.json'];
      const options = ['--url', service.url, '--max-time', String(SECONDS), ...headers];
      const ended = run(String(python), [...words, ...options], { cwd: service.directory, maxBuffer: 1 << 26 });
      const { stdout } = await ended.catch((failed: { stdout: string }) => failed);
      expect(stdout).toMatch(/No issues found/);
    },
    deadline((SECONDS + 60) * 1_000),
  );
});
