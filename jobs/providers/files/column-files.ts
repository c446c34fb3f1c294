/** Columns of a folder: each file in `columns/`, with its settings beside it. */
import type { ColumnFile } from '../provider.ts';
import { COLUMN_PATH } from './facts.ts';
import type { Survey } from './survey.ts';

/** The columns by path, but those whose settings are being written. */
export function columnFilesOf({ files, unsettled }: Pick<Survey, 'files' | 'unsettled'>): ColumnFile[] {
  const columns: ColumnFile[] = [];
  for (const { disk, path, bytes, modifiedMs, facts } of files) {
    if (facts.kind !== 'column') continue;
    const [, name = '', text] = COLUMN_PATH.exec(path) ?? [];
    const beside = `columns/${name}.json`;
    if (unsettled.includes(beside)) continue;
    const settings = files.find((file) => file.path === beside);
    const other = columns.find((column) => column.name === name);
    const identity = {
      path,
      // With those of its settings, so that it has changed when they have.
      bytes: bytes + (settings?.bytes ?? 0),
      modifiedMs: Math.max(modifiedMs, settings?.modifiedMs ?? 0),
      layout: text ?? path.slice(path.lastIndexOf('.') + 1),
      firstLine: null,
      told: [],
    };
    const reason = other ? `the column ${name} is that of ${other.identity.path}` : null;
    columns.push({ name, disk, identity, settings: settings?.disk ?? null, reason });
  }
  return columns;
}
