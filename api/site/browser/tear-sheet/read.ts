/** Reads the tear sheet of a kept run: a job makes it where none is kept. */
import { dataOf } from '../api.ts';
import { awaitJob } from '../run/call.ts';
import { sendAsReader } from '../session.ts';
import type { TearSheet } from '../types.ts';

/** `address`: of the run in the API. */
export async function readSheet(address: string, signal: AbortSignal): Promise<TearSheet> {
  const response = await sendAsReader('GET', `${address}/tear-sheet`, { signal });
  return response.status === 202 ? awaitJob<TearSheet>(response, signal) : dataOf<TearSheet>(response);
}
