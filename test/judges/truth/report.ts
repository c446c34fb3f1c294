/** The results of the suites: as a table for people, and as the record that the page and the document show. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import {
  explainedIn,
  readPeers,
  readTruth,
  type TruthRecord,
  totalsOf,
  truthText,
  type Verdict,
} from '../../../api/site/truth.ts';

export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

const pathOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export function writeRecord(record: TruthRecord): void {
  writeFileSync(pathOf('api/site/truth.json'), `${JSON.stringify(record, null, 2)}\n`);
}

/** The document, from what was recorded of the suites and of the peers. */
export async function truthDocument(): Promise<string> {
  const text = truthText(await readTruth(), await readPeers(), 'en');
  return `# Judged by others

Which figures of other programs does this service agree with, and where does it differ?

\`npm run truth\` computes each figure with the engine of the service and compares it with that of the other program;
\`npm run truth -- --record\` writes this page.

<!-- truth:begin -->
${text}<!-- truth:end -->
`;
}

export async function writeDocument(): Promise<void> {
  writeFileSync(pathOf('ops/docs/TRUTH.md'), await truthDocument());
}

/** A table, and a last line that counts, and names what was skipped. */
export function toTable(verdicts: readonly Verdict[], skipped: readonly Skipped[]): string {
  const head = ['suite', 'figures', 'agree', 'explained', 'largest difference', 'source'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const verdict of verdicts) {
    const { name, figures, agreed, largestDifference, source } = verdict;
    table.push([name, figures, agreed, explainedIn(verdict), largestDifference.toExponential(1), source]);
  }
  const { figures, agreed, explained } = totalsOf(verdicts);
  const unexplained = figures - agreed - explained;
  const counts = `${verdicts.length} suites, ${figures} figures: ${agreed} agree, ${explained} differ for a stated reason`;
  const failures = unexplained === 0 ? '' : `, ${unexplained} DIFFER`;
  const reasons = skipped.map(({ name, reason }) => `skipped ${name}: ${reason}\n`).join('');
  const names = skipped.length === 0 ? '' : `; SKIPPED: ${skipped.map(({ name }) => name).join(', ')}`;
  return `${table.toString()}\n${reasons}${counts}${failures}${names}\n`;
}
