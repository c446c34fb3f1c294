/** The columns that rules of the reader may name. */
import { get, signedInAs } from './session.ts';
import type { OwnColumn, OwnColumns } from './types.ts';

const COLUMNS = '/v1/my/columns';
export const ONE_COLUMN = `${COLUMNS}/{name}`;

/** None for guests. */
export async function readableColumns(): Promise<readonly OwnColumn[]> {
  return signedInAs() === null ? [] : (await get<OwnColumns>(COLUMNS)).items;
}
