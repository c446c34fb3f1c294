/** The sample market with its snapshot and its files, which are written once for all test files with the same settings. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { required } from '../../engine/util/values.ts';
import { writeLake } from '../../jobs/lake/run.ts';
import type { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { buildSnapshot } from '../../jobs/snapshot/run.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { cloneDatabase, createSampleDatabase, ensureTemplate, sampleTemplate, type TestDatabase } from './database.ts';
import { testJobContext } from './job-context.ts';

/**
 * Creates a database with the whole sample market, its snapshot, and its files.
 *
 * @param folder where the objects are copied to: the folder of the object storage
 * @param writtenAt the moments at which the files were written, the newest one last
 */
export async function createWrittenDatabase(
  provider: SampleProvider,
  folder: string,
  writtenAt: readonly number[],
): Promise<TestDatabase> {
  const template = `${await sampleTemplate(provider)}_written_${writtenAt.length}_${required(writtenAt.at(-1))}`;
  const objects = join(required(process.env.TEST_OBJECTS), template);
  await ensureTemplate(template, async () => {
    const database = await createSampleDatabase(provider);
    const storage = openStorage({ folder: objects });
    const contextAt = (at: number) => testJobContext({ pool: database.pool, storage, now: () => at });
    await buildSnapshot(contextAt(required(writtenAt.at(-1))));
    for (const at of writtenAt) await writeLake(contextAt(at));
    return database;
  });
  cpSync(objects, folder, { recursive: true });
  return cloneDatabase(template);
}
