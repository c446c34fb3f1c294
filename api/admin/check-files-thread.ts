/** A thread that checks a folder of files, because some formats are decoded in one piece. */
import { parentPort, workerData } from 'node:worker_threads';
import { required } from '../../engine/util/values.ts';
import { checkColumnFile } from '../../jobs/columns/folder-file.ts';
import { checkFolder } from '../../jobs/providers/files/check-folder.ts';
import { checkView } from '../../jobs/providers/files/check-view.ts';
import { ProviderError } from '../../jobs/providers/provider.ts';

export interface CheckedFolder {
  readonly folder: string;
  readonly now: number;
  readonly all: boolean;
}

/** Why the folder cannot be read, or what a load would make of it. */
export type CheckAnswer = { readonly refused: string } | { readonly view: ReturnType<typeof checkView> };

async function check(given: CheckedFolder): Promise<CheckAnswer> {
  try {
    return { view: checkView(await checkFolder({ ...given, checkColumn: checkColumnFile })) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { refused: error.message };
  }
}

required(parentPort).postMessage(await check(workerData));
