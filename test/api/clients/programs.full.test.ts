/**
 * Every program in the pages, as a reader runs it: the blocks of a page in their order, with the variables that the page sets, on a fresh
 * sample market. The notebooks run in `python-package.night.test.ts`, the commands of OPERATING.md that call a service in `samples.full.test.ts`.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientService, openClientService } from '../../support/client-service.ts';
import { deadline } from '../../support/deadlines.ts';
import { installPythonClient } from '../../support/python-client.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLES = join(ROOT, 'api/clients/python/examples');
const run = promisify(execFile);
const python = await installPythonClient();

const [README, API, LAKE, OPERATING] = ['README.md', 'ops/docs/API.md', 'ops/docs/LAKE.md', 'ops/docs/OPERATING.md'];
const [PYTHON, TYPESCRIPT] = ['api/clients/python/README.md', 'api/clients/typescript/README.md'];
const PAGES = [README, API, LAKE, OPERATING, PYTHON, TYPESCRIPT, 'ops/docs/RULES.md'];
const LANGUAGES = new Set(['sh', 'python', 'ts', 'js', 'sql']);

/** Blocks and commands that do not run here, with the reason. */
const NOT_HERE: readonly (readonly [page: string, text: RegExp, reason: string])[] = [
  [README, /^npm ci .*&& npm (start|test)/, 'installs and starts a whole machine: ops/deploy tests do'],
  [README, /^PROVIDER=/, 'starts a whole machine: test/ops/processes'],
  [README, /ops -- doctor/, 'judges a whole installation: test/ops/doctor'],
  [API, /example\.com\/hooks/, 'resolves a name of the internet: test/api/my/webhooks.test.ts'],
  [
    LAKE,
    /^# pip install/,
    'needs the packages of an engine: npm run engines, whose record test/ops/engines.test.ts compares',
  ],
  [LAKE, /^\/\/ npm install icebird/, 'needs the package of an engine: npm run engines'],
  [LAKE, /^npm run build:spark|^spark-submit/, 'needs Spark: npm run engines'],
  [LAKE, /^-- The panel of a rotation/, 'is in the dialect of Spark: npm run engines'],
  [
    OPERATING,
    /ops -- (doctor|sync run|sync re\w+ 3|calendar release|export run|compare|backup)/,
    'needs loads, a vendor, or a day of the reader: test/ops',
  ],
  [OPERATING, /^npm run (bench|peers|engines)/, 'takes minutes'],
  [OPERATING, /ops -- (admin create|account plan)/, 'asks for a password, or names an account: test/ops/commands'],
  [OPERATING, /ops -- api |^export MARKET_API_URL/, 'runs in samples.full.test.ts'],
  [OPERATING, /^PROVIDER=/, 'needs a folder or a vendor of the reader: test/jobs/providers'],
  [PYTHON, /^pip install/, 'is what installPythonClient does, with a wheel'],
];
const isElsewhere = (page: string, text: string) => NOT_HERE.some(([of, form]) => of === page && form.test(text));

interface Block {
  readonly language: string;
  readonly code: string;
}

/** The programs of a page, in their order. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```/gm)]
    .map(([, , language, code]) => ({ language, code }))
    .filter(({ language }) => LANGUAGES.has(language));
}

interface Sample {
  readonly command: string;
  /** The code of the answer in the page, or of the error that a comment names; 0 if it shows none. */
  readonly code: number;
}

/** Whether a command goes on in the next line. Apostrophes of comments are no quotes. */
function isOpen(command: string): boolean {
  const code = command.replace(/ +# .*$/gm, '');
  return (code.match(/'/g)?.length ?? 0) % 2 === 1 || code.endsWith('\\');
}

/** The commands of a block. Where lines begin with a prompt, the others are what they print; else every command has a line. */
function samplesOf({ code }: Block): Sample[] {
  const lines = code.trimEnd().split('\n');
  const prompted = lines.some((line) => line.startsWith('$ '));
  if (!prompted && /^\w+\(\) \{/.test(code)) return [{ command: code, code: 0 }];
  const samples: { command: string; code: number }[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (prompted && !lines[i].startsWith('$ ')) {
      const shown = /^\{"code":(\d+)/.exec(lines[i])?.[1];
      if (shown !== undefined) Object.assign(samples.at(-1) ?? {}, { code: Number(shown) });
      continue;
    }
    let command = lines[i].replace(/^\$ /, '');
    while (isOpen(command) && i + 1 < lines.length) command += `\n${lines[++i]}`;
    if (command.trim() !== '') samples.push({ command, code: /# an error/.test(command) ? 400 : 0 });
  }
  return samples;
}

let service: ClientService;
let key: string;
let folder: string;

beforeAll(async () => {
  service = await openClientService();
  key = await service.addKey('enterprise');
  folder = join(service.directory, 'reader');
  mkdirSync(join(folder, 'market'), { recursive: true });
  const bars = ['2026-05-27', '2026-05-28', '2026-05-29'].map((date) => `${date},10,11,9,10,100`);
  writeFileSync(join(folder, 'market/ABCD.csv'), `Date,Open,High,Low,Close,Volume\n${bars.join('\n')}\n`);
});
afterAll(() => service.close());
// Guests run few backtests in a minute, and a login code is mailed once a minute.
beforeEach(() => service.database.pool.query(`delete from rate_limits where key like 'ip:%' or key ~ ':code_'`));

/** With the address of the service, and a folder of market data, in place of those of a page. */
const here = (text: string) =>
  text.replaceAll('http://127.0.0.1:3000', service.url).replaceAll('/path/to/folder', join(folder, 'market'));

interface Outcome {
  readonly status: number;
  readonly printed: string;
}

/** Runs commands in one shell, in a folder of the reader; `npm run ops` has the settings of the service. */
async function inOneShell(commands: readonly string[], more: Readonly<Record<string, string>>): Promise<Outcome[]> {
  const prelude = [
    'curl() { command curl -s "$@"; }',
    // `npm run -s ops -- …`, without the second that npm takes.
    `npm() { while (($#)) && [ "$1" != -- ]; do shift; done; shift || return 1; '${process.execPath}' '${ROOT}ops/commands/cli.ts' "$@"; }`,
    // A command in a shell of its own could not set variables, so each ends with a mark.
    ...commands.map((command) => `${here(command)}\nprintf '\\nended %s\\n' $?`),
  ];
  const { directory, database } = service;
  const { stdout } = await run('bash', ['-c', prelude.join('\n')], {
    cwd: folder,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      FIXED_NOW: '2026-06-01T16:00:00Z',
      ...more,
    },
    maxBuffer: 1 << 28,
    timeout: deadline(240_000),
  });
  const parts = stdout.split(/\nended (\d+)\n/);
  return commands.map((_, i) => ({ printed: parts[2 * i], status: Number(parts[2 * i + 1]) }));
}

const samplesIn = (page: string) =>
  blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(samplesOf)
    .filter(({ command }) => !isElsewhere(page, command));

const codesIn = (text: string) => [...text.matchAll(/\{"code":(\d+),"message"/g)].map(([, code]) => Number(code));

describe('the commands', () => {
  it.each([README, API, OPERATING])(
    'in %s run one after another, and get the answers of the page',
    async (page) => {
      const samples = samplesIn(page);
      const commands = samples.map(({ command }) => command);
      const outcomes = await inOneShell(commands, page === API ? { KEY: key } : { KEY: '' });
      expect(samples.length).toBeGreaterThan(8);
      for (const [i, { command, code }] of samples.entries()) {
        const { status, printed } = outcomes[i];
        const codes = codesIn(printed);
        expect([command, status, codes, codes.every((one) => one === code) ? '' : printed]).toEqual([
          command,
          0,
          codes,
          '',
        ]);
        expect([command, printed]).toEqual([command, expect.not.stringMatching(/^null$/m)]);
      }
    },
    deadline(300_000),
  );

  it('and programs that no test runs are named with a reason, and exist', () => {
    const textsOf = (page: string) =>
      blocksOf(page).flatMap((block) =>
        block.language === 'sh' ? samplesOf(block).map(({ command }) => command) : [block.code],
      );
    const stale = NOT_HERE.filter(([page, form]) => !textsOf(page).some((text) => form.test(text)));
    expect(stale).toEqual([]);
    const left = PAGES.filter((page) => textsOf(page).some((text) => !isElsewhere(page, text)));
    expect(left).toEqual([README, API, OPERATING, PYTHON, TYPESCRIPT]);
  });
});

describe('the programs', () => {
  const env = () => ({ MARKET_API_URL: service.url, MARKET_API_KEY: '' });

  it('on the page of the TypeScript client run in a project that its commands make', async () => {
    const shown = [
      /\n(-?[\d.]+ ?){3}\n$/,
      /^(queued\n|running\n)*done\n\d+ \w+\n$/,
      /^error\.rule_invalid .*smaa.*\n$/,
    ];
    const blocks = blocksOf(TYPESCRIPT);
    const project = join(folder, 'project');
    mkdirSync(project);
    const offline = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_update_notifier: 'false' };
    const options = { cwd: project, env: { ...process.env, ...env(), ...offline } };
    const client = copyOfClient();
    for (const { code } of blocks.filter(({ language }) => language === 'sh')) {
      await run('bash', ['-ec', code.replaceAll('path/to/api/clients/typescript', client)], options);
    }
    const programs = blocks.filter(({ language }) => language === 'ts');
    expect(programs).toHaveLength(shown.length);
    for (const [i, { code }] of programs.entries()) {
      writeFileSync(join(project, 'program.js'), here(code));
      const { stdout, stderr } = await run(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', 'program.js'],
        options,
      );
      expect([stdout, stderr]).toEqual([expect.stringMatching(shown[i]), '']);
    }
  });

  (python ? it : it.skip)('on the pages run for a guest, and warn of nothing', async () => {
    for (const { code } of [README, PYTHON].flatMap((page) =>
      blocksOf(page).filter(({ language }) => language === 'python'),
    )) {
      const program = here(code).replaceAll('run.svg', join(folder, 'run.svg'));
      expect(await python?.run(['-W', 'error::UserWarning', '-c', program], env())).not.toBe('');
    }
    expect(readFileSync(join(folder, 'run.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>$/);
  });

  (python ? it : it.skip)('of the folder of examples run', async () => {
    for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith('.py'))) {
      const code = readFileSync(join(EXAMPLES, name), 'utf8').replaceAll('run.svg', join(folder, 'run.svg'));
      const printed = await python?.run(['-W', 'error::UserWarning', '-c', code], { ...env(), MARKET_API_KEY: key });
      expect([name, printed]).not.toEqual([name, '']);
    }
  });
});

/** A copy of the sources of the client, because packing leaves files there for a moment. */
function copyOfClient(): string {
  const source = join(ROOT, 'api/clients/typescript');
  const copy = join(service.directory, 'client');
  mkdirSync(copy);
  for (const name of readdirSync(source)) if (name !== 'node_modules') cpSync(join(source, name), join(copy, name));
  symlinkSync(join(source, 'node_modules'), join(copy, 'node_modules'));
  symlinkSync(join(ROOT, 'node_modules'), join(service.directory, 'node_modules'));
  return copy;
}
