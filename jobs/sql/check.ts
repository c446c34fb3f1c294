/** Whether SQL works on this machine, by a question that needs no files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toError } from '../../engine/util/thrown.ts';
import { ask, describeDeath } from './run-query.ts';
import { WITHOUT_VIEWS } from './sandbox-protocol.ts';
import { startSandbox } from './spare.ts';

/** Null: it answers. */
export async function sqlProblem(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'sql-check-'));
  try {
    const child = startSandbox(folder, WITHOUT_VIEWS);
    const { outcome } = await ask(child, { query: 'select 1', limit: 1 }, new AbortController().signal);
    if (outcome.type === 'done') return null;
    return outcome.type === 'died' ? describeDeath(outcome) : JSON.stringify(outcome);
  } catch (error) {
    return toError(error).message;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
