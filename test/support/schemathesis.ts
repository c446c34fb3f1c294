/** The running service under what schemathesis makes of its description. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientService, openClientService } from './client-service.ts';
import { deadline } from './deadlines.ts';
import { eventually } from './eventually.ts';
import { openPythonTools } from './python-client.ts';

const CONFIGURATION = fileURLToPath(new URL('../api/clients/schemathesis.toml', import.meta.url));
const run = promisify(execFile);
const python = await openPythonTools('schemathesis');

export type Caller = readonly [
  name: string,
  phases: string,
  headers: (service: ClientService) => Promise<readonly string[]>,
];

/** Examples, values at random, and calls with what earlier answers name. */
export const SHORT = 'examples,fuzzing,stateful';
/** All boundaries of every field too, which takes minutes. */
export const LONG = `coverage,${SHORT}`;

/** Tests that it finds nothing in calls of these callers. */
export function describeFuzz(callers: readonly Caller[]): void {
  let service: ClientService;
  let linksFollowed = 0;

  (python ? describe : describe.skip)('schemathesis finds nothing', () => {
    beforeAll(async () => {
      service = await openClientService({
        settings: {
          RATE_LIMIT_FACTOR: '1000',
          BACKTEST_WAIT_S: '2',
        },
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

    it.each(callers)(
      'as %s',
      async (_, phases, headersOf) => {
        const headers = (await headersOf(service)).flatMap((header) => ['--header', header]);
        const words = ['-m', 'schemathesis.cli', '--config-file', CONFIGURATION, '--no-color', 'run', 'openapi.json'];
        const ended = run(String(python), [...words, '--url', service.url, '--phases', phases, ...headers], {
          cwd: service.directory,
          maxBuffer: 1 << 26,
        });
        const { stdout } = await ended.catch((failed: { stdout: string }) => failed);
        linksFollowed += Number(/(\d+) covered/.exec(stdout)?.[1] ?? 0);
        expect(stdout).toMatch(/No issues found/);
      },
      deadline(300_000),
    );

    it('with what answers named, too', () => {
      expect(linksFollowed).toBeGreaterThan(0);
    });
  });
}
