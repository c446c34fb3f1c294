/** The bounds of a file while it is read, packed ones included: a small archive may unpack to more than any disk holds. */
import type { RunFailure } from '../../db/runs/runs.ts';
import { fileBounds } from '../contracts/columns.ts';
import { FileRefused } from './line-reader.ts';

type FileQuota = 'column_rows_max' | 'columns_max' | 'judge_values_max';

/** More than the plan allows. */
export class OverQuota extends Error {
  override readonly name = 'OverQuota';
  readonly quota: FileQuota;
  readonly max: number;
  readonly count: number;

  constructor(quota: FileQuota, max: number, count: number) {
    super(`${quota}: ${count} of ${max}`);
    this.quota = quota;
    this.max = max;
    this.count = count;
  }

  failure(plan: string): RunFailure {
    const { quota, max, count } = this;
    return { code: 'quota_exceeded', details: { plan, quota, max, count } };
  }
}

/** The quota of the lines of a file. */
export interface LineQuota {
  readonly name: FileQuota;
  readonly max: number;
}

/** Counts what a file holds. Throws, before it is read on, where it is more than the plan allows. */
export class FileCount {
  private readonly quota: LineQuota | null;
  private readonly max;
  private lines = 0;
  private bytes = 0;

  /** `quota`: null: no limits. */
  constructor(quota: LineQuota | null) {
    this.quota = quota;
    this.max = quota === null ? null : fileBounds(quota.max);
  }

  add(lines: number, bytes = 0): void {
    this.lines += lines;
    this.bytes += bytes;
    if (this.quota === null || this.max === null) return;
    if (this.lines > this.max.lines) throw new OverQuota(this.quota.name, this.quota.max, this.lines);
    if (this.bytes > this.max.bytes) throw new FileRefused(`it unpacks to more than ${this.max.bytes} bytes`);
  }
}
