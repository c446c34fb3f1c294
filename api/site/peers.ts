/** Other backtesters on the same bars and rules: what was recorded of them, as a part of the page. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fill, type Locale } from '../http/language/locale.ts';
import { differenceText, table } from './markdown-table.ts';
import { type SiteText, siteText } from './texts/catalogue.ts';
import { truthSentence } from './texts/truth-sentences.ts';

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
export function peersText({ date, commit, machine, instruments, years, peers }: PeersRecord, locale: Locale): string {
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
