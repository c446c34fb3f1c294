/** The samples of the site, and the commands of OPERATING.md that call a service, as a reader copies them. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openClient } from '../../../api/clients/typescript/index.ts';
import { type Sample as ProgramSample, runSamples, searchSamples } from '../../../api/site/browser/samples.ts';
import { required } from '../../../engine/util/values.ts';
import { type ClientService, openClientService, sealEarlierOf } from '../../support/client-service.ts';
import { forgeEntry } from '../../support/forward-records.ts';
import { freePort } from '../../support/free-port.ts';
import { installPythonClient } from '../../support/python-client.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const python = await installPythonClient();

let service: ClientService;
let key: string;

beforeAll(async () => {
  service = await openClientService();
  key = await service.addKey('enterprise');
});
afterAll(() => service.close());

/** Blocks of code of a language in a page. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code);
}

describe('the samples of the site', () => {
  const shared = { time_range: '3Y', execute_on: 'next_open', adjust: 'split', cost: { slippage_bps: 5 } };
  const run1 = { ...shared, symbol: 'ACRX.US', strategy: 'donchian', params: {} };
  const rules = { entry: 'crosses_above(close, sma(50))', exit: 'close < sma(50)' };
  const bodies = {
    backtest: run1,
    rules: { ...run1, strategy: 'rules', rules },
    portfolio: { ...shared, symbols: ['ACRX.US', 'BRVA.US'], strategy: 'donchian' },
    optimize: { symbol: 'ACRX.US', strategy: 'sma_cross', time_range: '3Y', grid: { fast_period: [5, 10] } },
  } as const;
  const samplesFor = (kind: keyof typeof bodies): readonly ProgramSample[] => {
    const [body, needsKey] = [bodies[kind], kind === 'portfolio'];
    if (kind === 'optimize') return searchSamples({ url: `${service.url}/v1/optimize`, body, needsKey: true });
    return runSamples({ url: `${service.url}/v1/${kind === 'portfolio' ? kind : 'backtest'}`, body, needsKey });
  };
  const runs: Readonly<Record<string, (code: string) => Promise<string>>> = {
    curl: async (code) =>
      (await run('bash', ['-c', code.split('\n#')[0].replace(/^curl /, 'curl -s ')], { env })).stdout,
    Python: async (code) => required(await python?.run(['-c', code], { API_KEY: key })),
    TypeScript: async (code) => {
      const file = join(service.directory, 'site-sample.ts');
      writeFileSync(file, code);
      return (await run(process.execPath, [file], { env })).stdout;
    },
  };
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    env = { ...process.env, API_KEY: key };
    // Guests run few backtests in a minute, and the pages above have run some.
    await service.database.pool.query(`delete from rate_limits where key like 'ip:%'`);
  });

  it.each(['backtest', 'rules', 'portfolio', 'optimize'] as const)('run: %s', async (kind) => {
    const [[, curl], [, program], [, typescript]] = samplesFor(kind);
    const answer = JSON.parse(await runs.curl(curl));
    expect([answer.code, answer.message]).toEqual([0, 'ok']);
    const ran = await runs.TypeScript(typescript);
    const { total_pnl_pct, num_trades } = answer.data;
    if (kind === 'optimize') expect(ran).toMatch(/fast_period: (5|10)/);
    else expect(ran).toBe(`${total_pnl_pct} ${num_trades}\n`);
    if (!python) return;
    expect((await runs.Python(program)).trim()).toMatch(
      kind === 'optimize' ? /'fast_period': (5|10)/ : /^-?[\d.]+ \d+$/,
    );
  });
});

describe('the commands of OPERATING.md that call a service', () => {
  const CLI = join(ROOT, 'ops/commands/cli.ts');
  const quoted = (text: string) =>
    [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, word]) => single ?? double ?? word);

  /** With the exit code of a failure. */
  interface Ended {
    readonly stdout: string;
    readonly stderr: string;
    readonly code?: number;
  }

  async function ops(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const given = { MARKET_API_URL: service.url, MARKET_API_KEY: key, ...env };
    const result = run(process.execPath, [CLI, ...words], {
      cwd: service.directory,
      env: { PATH: process.env.PATH, ...given },
    });
    return result.catch(({ stdout, stderr, code }: Ended) => ({ stdout, stderr, code }));
  }

  it('print figures, without a database', async () => {
    const sweep = { universe: { symbols: ['ACRX', 'BRVA'] }, runs: [{ strategy: 'donchian' }], time_range: '1Y' };
    writeFileSync(join(service.directory, 'sweep.json'), JSON.stringify(sweep));
    const factors = [{ name: 'momentum', value: 'roc(63)' }];
    const study = { universe: { all: true }, factors, horizons: [21], time_range: '1Y' };
    writeFileSync(join(service.directory, 'study.json'), JSON.stringify(study));
    writeFileSync(
      join(service.directory, 'members.csv'),
      'symbol,from,to\nACRX,2025-01-02,\nBRVA,2025-01-02,2025-06-30\n',
    );
    const days = Array.from({ length: 120 }, (_, i) => new Date(Date.UTC(2025, 0, 6 + i)).toISOString().slice(0, 10));
    const lines = days.map((day, i) => `${day},${((7 * i) % 11) / 1000 - 0.004}`);
    writeFileSync(join(service.directory, 'returns.csv'), ['date,fund', ...lines].join('\n'));
    const commands = blocksOf('ops/docs/OPERATING.md', 'sh')
      .flatMap((block) => block.split('\n'))
      .flatMap((line) => /^npm run -s ops -- (api .*?)( {2,}#.*)?$/.exec(line)?.[1] ?? [])
      .filter((command) => !command.includes('export download'));
    expect(commands.length).toBeGreaterThan(8);
    const shown: Readonly<Record<string, RegExp>> = {
      'api quote': /^symbol +last +change % +volume +session\nACRX\.US .*\nBRVA\.US /,
      'api candles': /^day +open +high +low +close +volume\n(20\d\d-\d\d-\d\d .*\n){50}$/,
      'api search': /^ACRX\.US +Apex Circuits/m,
      'api screen': /^\d+ of \d+ instruments at 20\d\d-/,
      'api sql': /^symbol +bars\n([\w.-]+ +[\d,]+\n){5}$/,
      'api backtest run': /^ACRX\.US, \w+, 20.*, kept as \d+\nfigure +value\nreturn % +-?[\d.,]+\n/,
      'api backtest list': /^id +name +strategy .*\n\d+ +ACRX\.US/,
      'api rotate': /^\d+ members, rotation, 20.*, kept as \d+\nfigure +value\nreturn % +-?[\d.,]+\n/,
      'api tear-sheet':
        /^20.* to 20.*\n(Gained|Lost|Returned) .*\n(.+\n)+figure +run +benchmark\nreturn % +-?[\d.,]+ +-?[\d.,]+\n/,
      'api columns put': /^members, version 1: 3 lines, 2 loaded, 0 repeated, 0 rejected, 0 left out\n/,
      'api factors run':
        /^20.* to 20.*, 1\d sessions, \d+ instruments\nfactor +horizon +IC +t +spread +t\nmomentum +21 +-?[\d.]+ .*\n$/,
      'api outcomes':
        /^20.* to 20.*, \d+ hits on \d+ days, \d+ instruments\n(After .*\n){3}horizon +hits +mean % +others % +excess % +t +p\n1 +\d+ +-?[\d.]+ .*\n5 .*\n20 .*\n$/,
      'api forward seal':
        /^sealed as \d+\n(.+\n)+name +status +sealed +sessions .*\n.+ live +20.*\nhead [0-9a-f]{64}\n$/,
      'api judge':
        /^returns\.csv: 121 lines, 120 loaded, .*\n(?:.+\n)*(?:info|warning): .+\n(?:.+\n)*stream +first +last +periods +per year % +Sharpe +drawdown % +alpha % +t +PSR +rho\nfund +20.*\n$/,
      'api sweep run': /^2 cells on 2 instruments; the best:\n/,
      'api sweep list': /^id +created .*\n([0-9a-f-]{36} .*\n)*[0-9a-f-]{36} .* done +100 +2\n/,
    };
    let kept = '';
    for (const command of commands) {
      const form = Object.keys(shown).find((name) => command.startsWith(name)) ?? '';
      const { stdout, stderr } = await ops(quoted(command.replace(/(tear-sheet|seal backtest) 7/, `$1 ${kept}`)));
      if (form === 'api backtest run') kept = /kept as (\d+)/.exec(stdout)?.[1] ?? '';
      expect([command, stderr.replace(/^(sweep|factor study) .*\n/, ''), stdout]).toEqual([
        command,
        '',
        expect.stringMatching(shown[form]),
      ]);
    }
  });

  it('write, list, and delete columns', async () => {
    const file = join(service.directory, 'score.csv');
    writeFileSync(file, 'symbol,date,value\nACRX,2025-01-02,7\n');
    const { stdout } = await ops(['api', '--json', 'columns', 'put', 'score', file, '--lag', '2', '--unit', 'points']);
    expect(JSON.parse(stdout)).toMatchObject({ column: { name: 'score', lag: 2, unit: 'points', rows: 1 } });
    const shown = await ops(['api', 'columns', 'list']);
    expect(shown.stdout).toMatch(/^score +account +number +1 +1 +1 +2025-01-02 +2025-01-02 *$/m);
    expect(await ops(['api', 'columns', 'delete', 'score'])).toEqual({ stdout: 'score was deleted\n', stderr: '' });
    expect((await ops(['api', 'columns', 'delete', 'score'])).stderr).toMatch(/\(request [\w-]+\)\n$/);
    expect((await ops(['api', 'columns', 'put', 'score', 'none.csv'])).stderr).toMatch(/^[^\n]*none\.csv[^\n]*\n$/);
  });

  it('list, show, and verify forward records, and fail where a chain is broken', async () => {
    const { pool } = service.database;
    const id = await sealEarlierOf(service, key);
    const words = (...more: string[]) => ops(['api', 'forward', ...more]);
    expect((await words('list')).stdout).toMatch(new RegExp(`^${id} +Averages cross +live +2026-05-12 +12 `, 'm'));
    const client = openClient({ url: service.url, key });
    const { slug } = await client.shareForward(id);
    const { stdout } = await words('show', String(id));
    expect(stdout).toMatch(/^After 12 sessions it lies .*\n/);
    expect((await words('show', required(slug))).stdout).toBe(stdout);
    const again = '12 sessions computed again';
    const held = await words('verify', required(slug));
    expect(held.stdout).toMatch(
      new RegExp(`^the seal and 12 entries hold, through [0-9a-f]{64}\\n${again}: all is as told\\n$`),
    );
    const rules = { entry: 'crosses_above(close, sma(10)) and volume > 0', exit: 'close < sma(10)' };
    const byRules = await sealEarlierOf(service, key, { strategy: 'rules', rules });
    expect((await words('verify', String(byRules))).stdout).toContain(`\n${again}: all is as told\n`);
    const asGuest = await ops(['api', 'forward', 'verify', required(slug)], { MARKET_API_KEY: '' });
    expect(asGuest.stdout).toMatch(/hold, through [0-9a-f]{64}\nnot computed again: .+\n$/);

    const { head } = await client.forwardRecord(id);
    const told = await Array.fromAsync(client.forwardEntries(id));
    const change = 'update forward_entries set entry = $3, sha256 = $4 where record_id = $1 and number = $2';
    const seventh = { ...told[6].entry, return: 0.5 };
    await pool.query(change, [id, 7, seventh, told[6].sha256]);
    const broken = await words('verify', required(slug), '--json');
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout)).toMatchObject({ broken: expect.stringMatching(/^entry 7, of 2026-05-21, /) });
    // With digests of its own another record holds, but not where it is computed, or for whoever kept the head.
    await forgeEntry(pool, id, 7, { return: 0.5 });
    const differing = new RegExp(
      `\\n${again}, of which differ:\\nsession +figure +told +now *\\n2026-05-21 +return +0.5 +-?[\\d.]+ *\\n$`,
    );
    expect(await words('verify', required(slug))).toMatchObject({ code: 1, stdout: expect.stringMatching(differing) });
    const other = await words('verify', required(slug), '--kept', head);
    expect(other).toMatchObject({ code: 1, stdout: `broken: ${head} is not in the chain\n` });
  });

  it('list, show, verify, and share kept outcomes', async () => {
    const asked = { condition: 'crosses_above(close, sma(20))', universe: { symbols: ['ACRX', 'BRVA'] } } as const;
    const { id, sentences } = await openClient({ url: service.url, key }).outcomes({ ...asked, time_range: '1Y' });
    const words = async (...more: string[]) => (await ops(['api', 'outcomes', ...more])).stdout;
    expect(await words('list')).toMatch(new RegExp(`^${id} +crosses_above\\(close, sma\\(20\\)\\) +2025-`, 'm'));
    expect(await words('show', String(id))).toContain(`\n${sentences[0]}\n`);
    expect(await words('verify', String(id))).toBe('reproduced\n');
    expect(await words('share', String(id))).toMatch(/^http.*\/o\/\w+\n$/);
    expect(await words('share', String(id), '--revoke')).toBe('not shared\n');
  });

  it('judge a file by options, and refuse others', async () => {
    const file = join(service.directory, 'curve.csv');
    writeFileSync(file, 'date,a,b\n2025-01-31,100,100\n2025-02-28,104,99\n2025-03-31,oops,99\n2025-04-30,103,102\n');
    const words = ['--form', 'equity', '--frequency', 'month', '--trials', '40', '--benchmark', 'b'];
    const { stdout } = await ops(['api', '--json', 'judge', file, ...words]);
    const found = { form: 'equity', benchmark: 'b', selection: { trials: 40 }, account: { rejected: 1 } };
    expect(JSON.parse(stdout)).toMatchObject({ ...found, streams: [{ name: 'a', frequency: 'month', periods: 2 }] });
    const shown = await ops(['api', 'judge', file, ...words]);
    expect(shown.stdout).toMatch(
      /^curve\.csv: 5 lines, 3 loaded, .* 1 rejected, .*\n {2}bad_value: 1\n {2}line 4 \(bad_value\): 2025-03-31,oops,99\n/,
    );
    expect((await ops(['api', 'judge', file, '--risk-free', 'no_such'])).stderr).toMatch(/risk_free/);
    for (const bad of [
      ['--trials', '0'],
      ['--form', 'money'],
      ['--frequency', 'year'],
    ])
      expect((await ops(['api', 'judge', file, ...bad])).stderr).toMatch(/^error: option [^\n]*\n/);
  });

  it('print a year as a year, and a large number with separators', async () => {
    const { stdout } = await ops(['api', 'sql', 'select 2026 as year, 1234.5 as close, 12345678 as volume']);
    expect(stdout).toMatch(/^year +close +volume\n2026 +1234\.5 +12,345,678\n$/);
  });

  it('take address and key as options, and print JSON', async () => {
    const words = ['--api', service.url, '--key', key, '--json', 'quote', 'ACRX'];
    const { stdout } = await ops(words, { MARKET_API_URL: 'http://127.0.0.1:1', MARKET_API_KEY: '' });
    expect(JSON.parse(stdout)).toMatchObject([{ symbol: 'ACRX.US', last: expect.any(Number) }]);
  });

  it('fail with one sentence that never shows the key', async () => {
    const secret = `md_${'0'.repeat(64)}`;
    const refused = await ops(['api', 'quote', 'ACRX'], { MARKET_API_KEY: secret });
    expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+ \(request [\w-]+\)\n$/) });
    const wrong = await ops(['api', 'candles', 'ACRX', '--start', '2026-06-01', '--end', '2026-05-01']);
    expect(wrong.stderr).toMatch(/\(request [\w-]+\)/);
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const away = await ops(['api', 'quote', 'ACRX'], { MARKET_API_URL: nobody });
    expect(away.stderr).toBe(`get /v1/quote/ACRX: nothing answers at ${nobody} (ECONNREFUSED)\n`);
    const bare = await ops(['--api', '127.0.0.1:3000', 'quote', 'ACRX']);
    expect(bare.stderr).toBe('url: "127.0.0.1:3000" is not an address; did you mean "http://127.0.0.1:3000"?\n');
    for (const { stderr } of [refused, wrong, away]) expect(stderr).not.toMatch(/md_|Error:|\n {4}at /);
  });
});
