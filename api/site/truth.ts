/** Figures of other programs beside ours, and other programs beside this one: what was recorded, as the text of the page. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fill, type Locale } from '../http/language/locale.ts';
import { differenceText, table } from './markdown-table.ts';
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

/** Theirs by ours: above 1 ours is faster, or smaller. */
interface Ratio {
  readonly ratio: number;
}

const MEASURED = ['oneRun', 'thousandRuns', 'sweep', 'memory'] as const;

interface PeerRecord {
  readonly name: string;
  readonly version: string;
  readonly strategies: readonly {
    readonly strategy: string;
    readonly fill: 'close' | 'next_open';
    readonly costs: 'none' | 'commission';
    readonly trades: number;
    readonly equalTrades: number;
    readonly largestReturnDifference: number;
    /** Why something differs. */
    readonly why: string | null;
  }[];
  readonly speed: Readonly<Record<(typeof MEASURED)[number], Ratio>>;
  readonly note: string;
}

/** The results of `npm run peers -- --record`. */
export interface PeersRecord {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly instruments: number;
  readonly years: number;
  readonly peers: readonly PeerRecord[];
}

const RECORD = new URL('peers.json', import.meta.url);

/** Null where none were recorded. */
export async function readPeers(): Promise<PeersRecord | null> {
  return existsSync(RECORD) ? JSON.parse(await readFile(RECORD, 'utf8')) : null;
}

/** In Markdown. */
function peersText({ date, commit, machine, instruments, years, peers }: PeersRecord, locale: Locale): string {
  const t = (key: SiteText) => siteText(key, locale);
  const number = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
  const trades = peers.flatMap(({ name, strategies }) =>
    strategies.map((one) => [
      ...[name, one.strategy, t(`truth.peers.fill.${one.fill}`), t(`truth.peers.costs.${one.costs}`)],
      ...[String(one.trades), String(one.equalTrades), differenceText(one.largestReturnDifference)],
    ]),
  );
  const speeds = peers.map(({ name, version, speed }) => [
    `${name} ${version}`,
    ...MEASURED.map((measured) => `${number.format(speed[measured].ratio)} ×`),
  ]);
  const sentences = peers.map(({ name, strategies, note }) => {
    const reasons = new Set(strategies.flatMap(({ why }) => why ?? []));
    const texts = [note, ...reasons].map((sentence) => truthSentence(sentence, locale));
    return locale === 'en' ? `- **${name}**: ${texts.join(' ')}` : `- **${name}**：${texts.join('')}`;
  });
  const tradesHead = (['program', 'strategy', 'fills', 'costs', 'trades', 'equal', 'returns'] as const).map((name) =>
    t(`truth.peers.${name}`),
  );
  const speedHead = [t('truth.peers.program'), ...MEASURED.map((measured) => t(`truth.peers.${measured}`))];
  return `## ${t('truth.peers')}

${fill(t('truth.peers.when'), { date, commit, machine, instruments, years })}

${table(tradesHead, new Set([4, 5, 6]), trades)}

${t('truth.peers.ratios')}

${table(speedHead, new Set([1, 2, 3, 4]), speeds)}

${sentences.join('\n')}
`;
}
