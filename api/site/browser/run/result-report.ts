/** The report of a run, in the order in which it is read: contents, words, notes, figures, chart, tables, risk, luck, evidence, programs. */
import '../elements/code-samples.ts';
import '../elements/report-contents.ts';
import '../elements/run-evidence.ts';
import { html, nothing } from 'lit';
import { universeWords } from '../../run-idea.ts';
import { path } from '../api.ts';
import type { Part } from '../elements/report-contents.ts';
import { runSamples } from '../samples.ts';
import { chanceSection, luckSection } from '../tear-sheet/chance.ts';
import { riskSection, timeSection, tradeSection, verdictLinks } from '../tear-sheet/sections.ts';
import { withMinus, wordSpace } from '../text.ts';
import { t } from '../tool-text.ts';
import { type Figure, figureList, monthTable, quietFigureList, returnsByYear, type YearReturns } from './figures.ts';
import type { AnyResult, RunKind } from './kind.ts';
import { revisedLine } from './revised.ts';
import { RULE_PARTS, type Rules } from './specification.ts';

/** The rules of a run; nothing for a built-in strategy. */
function ruleList(rules: Rules | undefined) {
  if (rules === undefined) return nothing;
  return html`<dl class="facts rules">
    ${RULE_PARTS.map((part) => (rules[part] === undefined ? nothing : html`<dt>${t(`rule.${part}`)}</dt><dd><code>${rules[part]}</code></dd>`))}
  </dl>`;
}

interface Report<Body, Result> {
  readonly result: Result;
  /** The call that reproduces this result; null: unknown. */
  readonly body: Body | null;
  /** The id of the kept run; null: it is not kept. */
  readonly keptId: number | null;
  /** Whether its reader has run it. */
  readonly isOwn: boolean;
}

interface Sentences {
  /** Sentences about its trades. */
  readonly facts: readonly unknown[];
  /** Sentences that compare it: the verdict of a tear sheet says this and more. */
  readonly compared: readonly unknown[];
}

/** Sentences: the gain beside holding, how sure that is, then what it did. Results of earlier versions do not tell how sure. */
function wordsOf({ facts, compared }: Sentences, { tear_sheet: sheet, statistics }: AnyResult) {
  const sure = statistics?.skill === undefined ? [] : statistics.sentences.slice(0, 1).map((text) => withMinus(text));
  return [...(sheet ? verdictLinks(sheet) : [...compared, ...sure]), ...facts];
}

/** Sentences above the figures: about two lines. */
const FIRST_WORDS = 3;

function verdict(words: readonly unknown[]) {
  const [first, others] = [words.slice(0, FIRST_WORDS), words.slice(FIRST_WORDS)];
  const spaced = (sentences: readonly unknown[]) => sentences.map((sentence) => html`${sentence}${wordSpace}`);
  return html`<p class="run-words" id="summary">${spaced(first)}</p>
    ${
      others.length === 0
        ? nothing
        : html`<details class="more-words"><summary>${t('run.words.more', { count: others.length })}</summary><p>${spaced(others)}</p></details>`
    }`;
}

interface Parts {
  /** Below the words. */
  readonly notices: unknown;
  /** The run in sentences; not called for a run without trades. */
  readonly sentences: (years: readonly YearReturns[]) => Sentences;
  /** The key figures. */
  readonly figures: readonly Figure[];
  /** All other figures, by name. */
  readonly details: readonly (readonly [name: string, value: string])[];
  /** The chart and its tables; not called for a run without known equity. */
  readonly chart: () => unknown;
  readonly drawdowns: unknown;
  readonly tables: unknown;
  /** Those of the tables, by their places. */
  readonly parts: readonly Part[];
}

const SHORT_RANGES: readonly unknown[] = ['1Y', '3Y', '5Y'];

/** The address of the same run over ten years; null for one that is not of a shorter range. */
export function longerRun<Body extends object, Result extends AnyResult>(
  { page, queryOf }: RunKind<Body, Result>,
  body: Body | null,
): string | null {
  if (body === null || !('time_range' in body) || !SHORT_RANGES.includes(body.time_range)) return null;
  return `${page}?${queryOf({ ...body, time_range: '10Y' })}`;
}

export function resultReport<Body extends object, Result extends AnyResult>(
  kind: RunKind<Body, Result>,
  { result, body, keptId, isOwn }: Report<Body, Result>,
  { notices, sentences, figures, details, chart, drawdowns, tables, parts }: Parts,
) {
  const { api, needsKey } = kind;
  const { num_trades, equity, disclaimer, rules, cost, tear_sheet: sheet } = result;
  const years = returnsByYear(equity ?? [], cost.initial_capital);
  const words = num_trades === 0 ? [t('run.words.none')] : wordsOf(sentences(years), result);
  const address = keptId === null ? null : path(api.evidence, { id: keptId });
  const isLucky = sheet !== undefined || result.statistics !== undefined;
  const contents = [
    { id: 'summary', title: t('contents.summary') },
    ...parts,
    ...(years.length === 0 ? [] : [{ id: 'months', title: t('contents.months') }]),
    { id: sheet ? 'sheet-returns' : 'figures', title: t('contents.risk') },
    ...(isLucky ? [{ id: sheet ? 'sheet-chance' : 'luck', title: t('contents.luck') }] : []),
    ...(body === null ? [] : [{ id: 'programs', title: t('contents.code') }]),
  ];
  return html`<report-contents .parts=${contents}></report-contents> ${ideaOnPaper(result)} ${verdict(words)} ${revisedLine(result.revised)} ${notices}
    ${figureList(figures)} ${equity && equity.length > 0 ? chart() : nothing}
    ${tables} ${years.length === 0 ? nothing : html`<h2 id="months">${t('run.months')}</h2>${monthTable(years)}`}
    ${ruleList(rules)}
    ${
      sheet
        ? html`${riskSection(sheet)} ${chanceSection(sheet, { ...result, capital: cost.initial_capital })} ${timeSection(sheet)} ${tradeSection(sheet)}`
        : html`<h2 id="figures">${t('run.figures')}</h2>${quietFigureList(details)} ${drawdowns} ${luckSection(result)}`
    }
    ${keptId === null || api.sheet === null ? nothing : html`<p><a href=${path(api.sheet, { id: keptId })}>${t('page.tear_sheet')}</a></p>`}
    <run-evidence class=${address === null ? 'not-on-paper' : ''} .evidence=${result} .address=${address} .isOwn=${isOwn}></run-evidence>
    ${body === null ? nothing : programs(api.run, body, needsKey)}
    ${proofOnPaper(result, addressOnPaper(kind, body, keptId))}
    <p class="muted small">${disclaimer}</p>`;
}

/** The parts of the idea that the title of a sheet leaves out. */
function ideaOnPaper(result: AnyResult) {
  const score = 'rotation' in result ? result.rotation?.score : undefined;
  const rule = result.rules?.entry ?? score;
  return html`<dl class="facts paper-only">
    <dt>${t('universe')}</dt><dd>${universeWords(result, t)}</dd>
    ${rule === undefined ? nothing : html`<dt>${t(score === undefined ? 'rule.entry' : 'rotation.score')}</dt><dd><code>${rule}</code></dd>`}
  </dl>`;
}

/** Where the run of a sheet is found: shared, kept, or as the call that makes it. */
function addressOnPaper<Body extends object, Result extends AnyResult>(
  { page, queryOf }: RunKind<Body, Result>,
  body: Body | null,
  keptId: number | null,
): string {
  if (keptId !== null) return `${location.origin}${page}?id=${keptId}`;
  const isMade = location.pathname === page && body !== null;
  return isMade ? `${location.origin}${page}?${queryOf(body)}` : location.href;
}

/** By these a reader of the sheet finds the run, and computes it again. */
function proofOnPaper({ receipt }: AnyResult, address: string) {
  return html`<dl class="facts paper-only">
    <dt>${t('paper.address')}</dt><dd><code>${address}</code></dd>
    ${
      receipt === undefined
        ? nothing
        : html`<dt>${t('receipt.title')}</dt><dd><code>${receipt.spec_sha256} ${receipt.data_sha256} ${receipt.result_sha256}</code> ${t('run.engine')} ${receipt.engine_version}</dd>`
    }
  </dl>`;
}

function programs(address: string, body: object, needsKey: boolean) {
  return html`<h2 id="programs" class="not-on-paper">${t('run.programs')}</h2>
    <code-samples class="not-on-paper" .samples=${runSamples({ url: `${location.origin}${address}`, body, needsKey })}></code-samples>`;
}
