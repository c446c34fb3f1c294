/** The bounds of a file while it is read, packed ones included: a small archive may unpack to more than any disk holds. */
import { type ColumnQuota, fileBounds } from '../contracts/columns.ts';
import { FileRefused } from './line-reader.ts';

/** More than the plan allows. */
export class OverQuota extends Error {
  override readonly name = 'OverQuota';
  readonly quota: 'column_rows_max' | 'columns_max';
  readonly max: number;
  readonly count: number;

  constructor(quota: 'column_rows_max' | 'columns_max', max: number, count: number) {
    super(`${quota}: ${count} of ${max}`);
    this.quota = quota;
    this.max = max;
    this.count = count;
  }
}

/** Counts what a file holds. Throws, before it is read on, where it is more than the plan allows. */
export class FileCount {
  private readonly quota: ColumnQuota | null;
  private readonly max;
  private lines = 0;
  private bytes = 0;

  /** `quota`: null: no limits. */
  constructor(quota: ColumnQuota | null) {
    this.quota = quota;
    this.max = quota === null ? null : fileBounds(quota.rows);
  }

  add(lines: number, bytes = 0): void {
    this.lines += lines;
    this.bytes += bytes;
    if (this.quota === null || this.max === null) return;
    if (this.lines > this.max.lines) throw new OverQuota('column_rows_max', this.quota.rows, this.lines);
    if (this.bytes > this.max.bytes) throw new FileRefused(`it unpacks to more than ${this.max.bytes} bytes`);
  }
}
