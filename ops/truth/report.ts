/** The results of the suites: as a table for people, and as the record that the page and the document show. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import type { Verdict } from './suite.ts';

export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** The results of a run of all suites. */
export interface TruthRecord {
  readonly date: string;
  readonly commit: string;
  readonly suites: readonly Verdict[];
}

const RECORD = fileURLToPath(new URL('../../api/site/truth.json', import.meta.url));

export function writeRecord(record: TruthRecord): void {
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}

const sumOf = (verdicts: readonly Verdict[], count: (verdict: Verdict) => number) =>
  verdicts.reduce((sum, verdict) => sum + count(verdict), 0);
const explainedOf = ({ deviations }: Verdict) => deviations.reduce((sum, { figures }) => sum + figures, 0);

/** A table, and a last line that counts, and names what was skipped. */
export function toTable(verdicts: readonly Verdict[], skipped: readonly Skipped[]): string {
  const table = new Table({ head: ['suite', 'figures', 'agree', 'explained', 'largest difference', 'source'] });
  for (const verdict of verdicts) {
    const { name, figures, agreed, largestDifference, source } = verdict;
    table.push([name, figures, agreed, explainedOf(verdict), largestDifference.toExponential(1), source]);
  }
  const figures = sumOf(verdicts, (verdict) => verdict.figures);
  const agreed = sumOf(verdicts, (verdict) => verdict.agreed);
  const explained = sumOf(verdicts, explainedOf);
  const counts = `${verdicts.length} suites, ${figures} figures: ${agreed} agree, ${explained} differ for a reason that is told`;
  const unexplained = figures - agreed - explained;
  const failures = unexplained === 0 ? '' : `, ${unexplained} DIFFER`;
  const skips = skipped.map(({ name, reason }) => `skipped ${name}: ${reason}\n`).join('');
  return `${table.toString()}\n${skips}${counts}${failures}${skipped.length === 0 ? '' : `; ${skipped.length} skipped`}\n`;
}
