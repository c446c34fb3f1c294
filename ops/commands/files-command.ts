/** `npm run ops -- files check`: what a load would make of a folder, before anything is started. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatDay } from '../../engine/market/dates.ts';
import { toError } from '../../engine/util/errors.ts';
import { checkColumnFile } from '../../jobs/columns/folder-file.ts';
import { checkFolder, type FolderCheck } from '../../jobs/providers/files/check-folder.ts';
import { checkView, describeUnusable } from '../../jobs/providers/files/check-view.ts';
import { readConfigOrExit } from '../processes/process.ts';
import { fail, PERCENT_COLUMNS, progressBar, say, tableOf } from './tools.ts';

interface CheckFlags {
  readonly json: boolean;
  readonly all: boolean;
}

const MISSING_TEXTS = {
  no_symbol_list: 'no list of symbols: names and types are not known',
  no_events: 'no events: splits and dividends are not known',
  no_delisted: 'no delisted names: these are survivors',
} as const satisfies Record<FolderCheck['missing'][number], string>;

async function check(path: string | undefined, { json, all }: CheckFlags): Promise<void> {
  const config = readConfigOrExit();
  const folder = path === undefined ? config.PROVIDER_DIR : resolve(path);
  if (folder === undefined) return fail('name a folder, or set PROVIDER_DIR');
  const now =
    config.FIXED_NOW === undefined ? performance.timeOrigin + performance.now() : Date.parse(config.FIXED_NOW);
  const bar = process.stderr.isTTY && !json ? progressBar('{bar} {percentage}%', PERCENT_COLUMNS) : null;
  bar?.start(100, 0);
  try {
    const found = await checkFolder({
      folder,
      dataFolder: config.DATA_DIR,
      now,
      all,
      checkColumn: checkColumnFile,
      onProgress: (share) => bar?.update(Math.floor(share * 100)),
    });
    bar?.stop();
    say(json ? JSON.stringify(checkView(found), null, 2) : describeCheck(found));
    if (!found.ok) process.exitCode = 1;
  } catch (error) {
    bar?.stop();
    fail(toError(error).message);
  }
}

function describeCheck(found: FolderCheck): string {
  const day = (value: number | null) => (value === null ? '' : formatDay(value));
  const rows = found.layouts.map((one) => [
    ...[one.layout, one.files, one.symbols.size, day(one.first), day(one.last), one.prices, one.events],
    Object.entries(one.rejected)
      .map(([reason, { count }]) => `${reason} ${count}`)
      .join(', '),
  ]);
  const head = ['layout', 'files', 'symbols', 'first', 'last', 'prices', 'events', 'rejected'];
  const lines = found.layouts.flatMap(({ rejected }) =>
    Object.entries(rejected).flatMap(([reason, { lines: shown }]) =>
      shown.map(({ file, line, text }) => `  ${file}:${line} ${reason}: ${text.slice(0, 120)}`),
    ),
  );
  const unusable = describeUnusable(found);
  const suggested =
    Object.keys(found.suggest).length > 0 ? [`market.json may say: ${JSON.stringify(found.suggest)}`] : [];
  return [
    ...(found.estimated ? ['Counts are of a sample; --all reads everything.'] : []),
    ...(rows.length > 0 ? [tableOf(head, rows)] : []),
    ...lines,
    ...found.files.flatMap(({ file, told }) => told.map((sentence) => `${file.path}: ${sentence}`)).slice(0, 20),
    ...found.missing.map((code) => `missing: ${MISSING_TEXTS[code]}`),
    ...suggested,
    ...(unusable === '' ? [] : ['Files that are not loaded:', unusable]),
    ...(found.ok ? [] : ['Nothing here can be loaded.']),
  ].join('\n');
}

export function addFilesCommands(program: Command): void {
  program
    .command('files')
    .description('Folders of market data')
    .command('check')
    .description('Show what a load would make of a folder: layouts, symbols, days, and what would be rejected')
    .argument('[path]', 'the folder; default: PROVIDER_DIR')
    .option('--json', 'print one object', false)
    .option('--all', 'read every line instead of a sample', false)
    .action(check);
}
