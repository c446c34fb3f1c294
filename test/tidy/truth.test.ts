/** The page and the document of figures of other programs say what was recorded, of the suites that there are. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../../api/http/language/locale.ts';
import { truthSentence } from '../../api/site/texts/truth-sentences.ts';
import { type PeersRecord, readTruth, totalsOf, truthText } from '../../api/site/truth.ts';
import { required } from '../../engine/util/values.ts';
import { PEERS } from '../judges/peers/peer.ts';
import { truthDocument } from '../judges/truth/report.ts';
import { SUITES } from '../judges/truth/suites/index.ts';

const FIGURES = 5_000;
const SUITES_AT_LEAST = 12;

const truth = await readTruth();

describe('the record of npm run truth', () => {
  it('is of every suite, as the suite describes itself now', () => {
    const described = SUITES.map(({ name, title, source, compares }) => ({ name, title, source, compares }));
    expect(truth.suites).toMatchObject(described);
    expect(truth.suites).toHaveLength(described.length);
  });

  it('has no figure that differs unexplained, and as many as are promised', () => {
    const { figures, agreed, explained } = totalsOf(truth.suites);
    expect(agreed + explained).toBe(figures);
    expect(figures).toBeGreaterThanOrEqual(FIGURES);
    expect(truth.suites.length).toBeGreaterThanOrEqual(SUITES_AT_LEAST);
  });

  it('gives reasons that the suites give', () => {
    const reasons = new Set(SUITES.flatMap(({ deviations = [] }) => deviations.map(({ reason }) => reason)));
    const recorded = truth.suites.flatMap(({ deviations }) => deviations.map(({ reason }) => reason));
    expect(recorded.filter((reason) => !reasons.has(reason))).toEqual([]);
  });

  it('is what TRUTH.md shows (npm run truth -- --record)', async () => {
    expect(readFileSync(new URL('../../ops/docs/TRUTH.md', import.meta.url), 'utf8')).toBe(await truthDocument());
  });
});

describe('the text of the page', () => {
  const ratio = { ratio: 12.34 };
  const strategy = { strategy: 'sma_cross', fill: 'close', costs: 'none', trades: 7, equalTrades: 6 } as const;
  const peers: PeersRecord = {
    date: '2026-11-26',
    commit: 'abc1234',
    machine: '2 cores',
    instruments: 50,
    years: 5,
    peers: [
      {
        name: 'bt',
        version: '1.1.2',
        note: 'Weights | no orders.',
        strategies: [{ ...strategy, largestReturnDifference: 0.02, why: 'It buys whole shares.' }],
        speed: { oneRun: ratio, thousandRuns: ratio, sweep: ratio, memory: ratio },
      },
    ],
  };

  it.each(LOCALES)('in %s, counts each suite and tells every difference', (locale) => {
    const text = truthText(truth, null, locale);
    for (const { title, source, deviations } of truth.suites) {
      expect(text).toContain(`| **${title}** (${source}) |`);
      for (const { reason } of deviations) expect(text).toContain(truthSentence(reason, locale));
    }
    expect(text).toContain(`\`${truth.commit}\``);
    expect(text).not.toMatch(/\{\w+\}|NaN/);
  });

  it('has every sentence of the suites and the peers in Chinese', () => {
    const ofSuites = truth.suites.flatMap(({ compares, deviations }) => [
      compares,
      ...deviations.map(({ reason }) => reason),
    ]);
    const ofPeers = PEERS.flatMap(({ note, exceptions = [] }) => [note, ...exceptions.map(({ reason }) => reason)]);
    const sentences = [...ofSuites, ...ofPeers];
    expect(sentences.filter((sentence) => truthSentence(sentence, 'zh-TW') === sentence)).toEqual([]);
    expect(sentences.filter((sentence) => truthSentence(sentence, 'zh-CN') === sentence)).toEqual([]);
  });

  it('has a table of other backtesters where one was recorded', () => {
    expect(truthText(truth, null, 'en')).not.toContain('Other backtesters');
    const text = truthText(truth, peers, 'en');
    expect(text).toContain('## Other backtesters\n\nThe same bars and rules, side by side on one machine (2 cores)');
    expect(text).toContain('| bt | sma_cross | close | none | 7 | 6 | 2.0e-2 |');
    expect(text).toContain('| bt 1.1.2 | 12 × | 12 × | 12 × | 12 × |');
    expect(text).toContain('- **bt**: Weights | no orders. It buys whole shares.');
  });

  it('tells how each backtester was run in the language of the page', () => {
    const recorded = required(PEERS.find(({ name }) => name === 'bt'));
    const text = truthText(
      truth,
      { ...peers, peers: peers.peers.map((peer) => ({ ...peer, note: recorded.note })) },
      'zh-CN',
    );
    expect(text).toContain('- **bt**：它按给定的价格（收盘价）成交');
  });
});
