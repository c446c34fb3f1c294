/** The samples of the pages, as a reader copies them: curl of README.md and API.md, programs of the clients, remote commands. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Sample as ProgramSample, runSamples, searchSamples } from '../../../api/site/browser/samples.ts';
import { required } from '../../../engine/util/values.ts';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { freePort } from '../../support/free-port.ts';
import { installPythonClient } from '../../support/python-client.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLES = join(ROOT, 'api/clients/python/examples');
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

interface Sample {
  readonly command: string;
  /** The code of the answer in the page; null if it shows none. */
  readonly code: number | null;
}

const isOpen = (command: string) => (command.match(/'/g)?.length ?? 0) % 2 === 1 || command.endsWith('\\');

/** Commands of curl with the parts of their answers in the page. */
function samplesOf(page: string): Sample[] {
  return blocksOf(page, 'sh').flatMap((block) => {
    const samples: Sample[] = [];
    const lines = block.split('\n');
    for (let i = 0; i < lines.length; i++) {
      if (!/^(\$ )?curl /.test(lines[i])) continue;
      let command = lines[i].replace(/^\$ /, '');
      while (isOpen(command)) command += `\n${lines[++i]}`;
      const next = lines.findIndex((line, at) => at > i && /^(\$ )?[a-z]+ /.test(line));
      const shown = lines.slice(i + 1, next < 0 ? undefined : next).join('\n');
      const reported = /"code":(\d+)/.exec(shown)?.[1];
      samples.push({ command, code: reported === undefined ? null : Number(reported) });
    }
    return samples;
  });
}

/** Needs an id, a session, or a state that only the reader has. */
const NEEDS_MORE =
  /\$(TOKEN|ID)\b|[0-9a-f]{8}-[0-9a-f]{4}|\/backtests\/1\/|"saved":1|auth\/verify|api\/articles\/|If-None-Match|eleventh|old key|example\.com\/hooks/;

describe.each(['README.md', 'ops/docs/API.md'])('curl in %s', (page) => {
  it('gets the answer in the page', async () => {
    const samples = samplesOf(page).filter(({ command }) => !NEEDS_MORE.test(command));
    expect(samples.length).toBeGreaterThan(6);
    // Both pages ask for a login code, which one may do once a minute.
    await service.database.pool.query(`delete from rate_limits where key ~ ':code_'`);
    for (const { command, code } of samples) {
      const script = `JSON='content-type: application/json'; ${command.replaceAll(/^curl (-i )?/gm, 'curl -s ')}`;
      const { stdout } = await run('bash', ['-c', script], {
        env: { ...process.env, API: service.url, KEY: key },
        maxBuffer: 1 << 26,
      });
      const body = JSON.parse(stdout);
      expect([command, body.code, body.message]).toEqual([command, code ?? expect.any(Number), body.message]);
      expect(body.code).toBeLessThan(500);
    }
  });
});

/** The output of each program on the page of the TypeScript client. */
const SHOWN = [/\n(-?[\d.]+ ?){3}\n$/, /^(queued\n|running\n)*done\n\d+ \w+\n$/, /^error\.rule_invalid .*smaa.*\n$/];

/** Packs a copy of the client, because that leaves files there for a moment, and unpacks it where `npm install` would. */
async function installPackage(folder: string): Promise<void> {
  const target = join(folder, 'node_modules/market-data-client');
  mkdirSync(target, { recursive: true });
  const source = join(ROOT, 'api/clients/typescript');
  const copy = join(service.directory, 'client');
  mkdirSync(copy);
  for (const name of readdirSync(source)) if (name !== 'node_modules') cpSync(join(source, name), join(copy, name));
  symlinkSync(join(source, 'node_modules'), join(copy, 'node_modules'));
  symlinkSync(join(ROOT, 'node_modules'), join(service.directory, 'node_modules'));
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: copy,
  });
  await run('tar', [
    '-xzf',
    join(folder, stdout.trim().split('\n').at(-1) ?? ''),
    '-C',
    target,
    '--strip-components=1',
  ]);
}

describe('the programs', () => {
  const env = () => ({ MARKET_API_URL: service.url, MARKET_API_KEY: key });

  it('in the page of the TypeScript client run in a project with its package', async () => {
    const blocks = blocksOf('api/clients/typescript/README.md', 'ts');
    expect(blocks.length).toBeGreaterThan(2);
    const folder = join(service.directory, 'project');
    await installPackage(folder);
    for (const [i, code] of blocks.entries()) {
      const file = join(folder, `sample${i}.ts`);
      writeFileSync(file, code.replaceAll('http://127.0.0.1:3000', service.url));
      const { stdout } = await run(process.execPath, [file], { env: { ...process.env, ...env() } });
      expect(stdout).toMatch(SHOWN[i]);
    }
  });

  (python ? it : it.skip)('of the page and the examples of the Python client run', async () => {
    const examples = readdirSync(EXAMPLES)
      .filter((name) => name.endsWith('.py'))
      .map((name) => readFileSync(join(EXAMPLES, name), 'utf8'));
    const pages = ['api/clients/python/README.md', 'README.md'];
    const codes = [...pages.flatMap((page) => blocksOf(page, 'python')), ...examples];
    expect(codes.length).toBe(3 + 1 + examples.length);
    for (const code of codes) {
      const here = code
        .replaceAll('http://127.0.0.1:3000', service.url)
        .replaceAll('run.svg', join(service.directory, 'run.svg'));
      expect(await python?.run(['-c', here], env())).not.toBe('');
    }
    expect(readFileSync(join(service.directory, 'run.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>$/);
  });
});

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

  async function ops(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const given = { MARKET_API_URL: service.url, MARKET_API_KEY: key, ...env };
    const result = run(process.execPath, [CLI, ...words], {
      cwd: service.directory,
      env: { PATH: process.env.PATH, ...given },
    });
    const { stdout, stderr } = await result.catch((failed: { stdout: string; stderr: string }) => failed);
    return { stdout, stderr };
  }

  it('print figures, without a database', async () => {
    const sweep = { universe: { symbols: ['ACRX', 'BRVA'] }, runs: [{ strategy: 'donchian' }], time_range: '1Y' };
    writeFileSync(join(service.directory, 'sweep.json'), JSON.stringify(sweep));
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
      'api tear-sheet': /^20.* to 20.*\nThe run .*\n(.+\n)+figure +run +benchmark\nreturn % +-?[\d.,]+ +-?[\d.,]+\n/,
      'api sweep run': /^2 cells on 2 instruments; the best:\n/,
      'api sweep list': /^id +created .*\n([0-9a-f-]{36} .*\n)*[0-9a-f-]{36} .* done +100 +2\n/,
    };
    let kept = '';
    for (const command of commands) {
      const form = Object.keys(shown).find((name) => command.startsWith(name)) ?? '';
      const { stdout, stderr } = await ops(quoted(command.replace('tear-sheet 7', `tear-sheet ${kept}`)));
      if (form === 'api backtest run') kept = /kept as (\d+)/.exec(stdout)?.[1] ?? '';
      expect([command, stderr.replace(/^sweep .*\n/, ''), stdout]).toEqual([
        command,
        '',
        expect.stringMatching(shown[form]),
      ]);
    }
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
    expect(refused).toEqual({ stdout: '', stderr: expect.stringMatching(/^[^\n]+ \(request [\w-]+\)\n$/) });
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
