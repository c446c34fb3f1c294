/** Figures of other programs beside ours, and other programs beside this one: what was recorded, as the text of the page. */
import { readFile } from 'node:fs/promises';
import { fill, type Locale } from '../http/language/locale.ts';
import { differenceText, table } from './markdown-table.ts';
import { type PeersRecord, peersText } from './peers.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';
import { truthSentence } from './texts/truth-sentences.ts';

export interface ExplainedDeviation {
  readonly reason: string;
  readonly figures: number;
  /** As a share of the figure, or of 1 where the figure is smaller; null: one side has no number. */
  readonly largestDifference: number | null;
}

/** The result of a suite of figures of another program. */
export interface Verdict {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly compares: string;
  readonly figures: number;
  readonly agreed: number;
  /** The largest one of the figures that agreed, as a share of the figure. */
  readonly largestDifference: number;
  readonly deviations: readonly ExplainedDeviation[];
}

/** The results of a run of all suites (`npm run truth -- --record`). */
export interface TruthRecord {
  /** The day of the commit. */
  readonly date: string;
  readonly commit: string;
  readonly suites: readonly Verdict[];
}

export async function readTruth(): Promise<TruthRecord> {
  return JSON.parse(await readFile(new URL('truth.json', import.meta.url), 'utf8'));
}

export const explainedIn = ({ deviations }: Verdict) => deviations.reduce((sum, { figures }) => sum + figures, 0);

export function totalsOf(suites: readonly Verdict[]) {
  const sumOf = (count: (verdict: Verdict) => number) => suites.reduce((sum, verdict) => sum + count(verdict), 0);
  return {
    figures: sumOf(({ figures }) => figures),
    agreed: sumOf(({ agreed }) => agreed),
    explained: sumOf(explainedIn),
  };
}

/** In Markdown. */
export function truthText({ date, commit, suites }: TruthRecord, peers: PeersRecord | null, locale: Locale): string {
  const t = (key: SiteText) => siteText(key, locale);
  const number = new Intl.NumberFormat(locale);
  const { figures, agreed, explained } = totalsOf(suites);
  const counts = { suites: suites.length, figures, agreed, explained };
  const numbers = Object.entries(counts).map(([name, count]) => [name, number.format(count)]);
  const head = (['suite', 'compares', 'figures', 'agreed', 'explained', 'largest'] as const).map((name) =>
    t(`truth.${name}`),
  );
  const rows = suites.map((suite) => [
    `**${suite.title}** (${suite.source})`,
    truthSentence(suite.compares, locale),
    number.format(suite.figures),
    number.format(suite.agreed),
    number.format(explainedIn(suite)),
    differenceText(suite.largestDifference),
  ]);
  const colon = locale === 'en' ? ': ' : '：';
  const differences = suites.flatMap(({ title, deviations }) =>
    deviations.map(({ reason, figures: count, largestDifference }) => {
      const size = { count: number.format(count), largest: differenceText(largestDifference ?? 0) };
      const text = t(largestDifference === null ? 'truth.difference.no_size' : 'truth.difference');
      return `- **${title}**, ${fill(text, size)}${colon}${truthSentence(reason, locale)}`;
    }),
  );
  return `${fill(t('truth.counts'), { ...Object.fromEntries(numbers), date, commit })}

${t('truth.share')}

${table(head, new Set([2, 3, 4, 5]), rows)}

## ${t('truth.differences')}

${differences.join('\n')}
${peers === null ? '' : `\n${peersText(peers, locale)}`}`;
}
