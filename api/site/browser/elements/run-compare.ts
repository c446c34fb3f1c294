/** The tear sheets of kept runs side by side: equity over one axis, settings that differ, and figures with the best of each marked. */
import './compare-chart.ts';
import { customElement, property, state } from 'lit/decorators.js';
import { universeWords } from '../../run-idea.ts';
import { ApiError, JobFailure, path } from '../api.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { AbortScope } from '../load.ts';
import { BACKTEST } from '../run/backtest.ts';
import { runJob } from '../run/call.ts';
import type { ComparedCall } from '../run/compared.ts';
import { type AnyResult, strategyName, strategyWords } from '../run/kind.ts';
import { PORTFOLIO } from '../run/portfolio.ts';
import { get } from '../session.ts';
import { LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { readSheet } from '../tear-sheet/read.ts';
import { day, fixed, listed, number, percent, signed, signedPercent, textOr, withMinus } from '../text.ts';
import { t } from '../tool-text.ts';
import type { History, Strategies, TearSheet } from '../types.ts';
import { type ComparedFigure, type FigureSection, figureTable } from './figure-table.ts';

interface ComparedRun {
  readonly href: string;
  /** The name that its owner gave it, or its instruments and its strategy. */
  readonly name: string;
  readonly result: AnyResult;
  /** Null: it could not be made. */
  readonly sheet: TearSheet | null;
}

type Item = History['items'][number];

/** A kept run in the address: `12`, a portfolio as `p12`. */
export const keyOf = ({ kind, id }: Pick<Item, 'kind' | 'id'>) => (kind === 'portfolio' ? `p${id}` : String(id));
export const isKey = (text: string) => /^p?\d+$/.test(text);

const subjectOf = (result: AnyResult) => universeWords(result, t);

type Line = ComparedFigure<ComparedRun>;
type Section = FigureSection<ComparedRun>;

@customElement('run-compare')
export class RunCompare extends SiteElement {
  @property({ attribute: false }) keys: readonly string[] = [];
  /** Runs that are not kept, after those that are. */
  @property({ attribute: false }) calls: readonly ComparedCall[] = [];
  /** The list that the runs are in, as far as it is loaded. */
  @property({ attribute: false }) items: readonly Item[] = [];
  @property({ attribute: false }) strategies!: Strategies;
  @state() runs: Loaded<readonly ComparedRun[]> = LOADING;
  private readonly work = new AbortScope(this);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('keys') || changed.has('calls')) this.load();
  }

  private readonly load = async (): Promise<void> => {
    const { keys, calls } = this;
    this.runs = LOADING;
    const signal = this.work.next();
    // One after the other: a plan limits the jobs that an account has at once.
    const read = async () => {
      const runs: ComparedRun[] = [];
      for (const key of keys) {
        const { api, page } = key.startsWith('p') ? PORTFOLIO : BACKTEST;
        const id = Number(key.replace('p', ''));
        const result = await get<AnyResult>(path(api.kept, { id }), { signal });
        const sheet = await readSheet(path(api.evidence, { id }), signal).catch(withoutSheet);
        const given = this.items.find((item) => keyOf(item) === key)?.name;
        runs.push({ href: `${page}?id=${id}`, result, sheet, name: given ?? nameOf(result, this.strategies) });
      }
      for (const { kind, body } of calls) {
        const { api, page } = kind === 'portfolio' ? PORTFOLIO : BACKTEST;
        const asked = { ...body, save: false, tear_sheet: true };
        const result = await runJob<AnyResult>(api.run, asked, signal);
        runs.push({
          href: `${page}?${queryOf(result)}`,
          result,
          sheet: result.tear_sheet ?? null,
          name: nameOf(result, this.strategies),
        });
      }
      return runs;
    };
    const runs = await settle(read()).catch(() => LOADING);
    if (keys === this.keys && calls === this.calls) this.runs = runs;
  };

  override render() {
    return whenLoaded(this.runs, this.load, (runs) => comparison(runs, this.strategies));
  }
}

/** The page that makes a run again. */
const queryOf = (result: AnyResult) =>
  'symbol' in result ? BACKTEST.queryOf(BACKTEST.bodyOf(result)) : PORTFOLIO.queryOf(PORTFOLIO.bodyOf(result));

/** A run without its tear sheet is compared by its own figures. */
function withoutSheet(error: unknown): null {
  if (error instanceof ApiError || error instanceof JobFailure) return null;
  throw error;
}

function comparison(runs: readonly ComparedRun[], strategies: Strategies) {
  const isDrawn = runs.every(({ result: { equity = [] } }) => equity.length > 0);
  const label = t('compare.chart', { count: runs.length, names: runs.map(({ name }) => name).join('; ') });
  return html`<ol class="compared">
      ${runs.map(
        (run, i) => html`<li>
          <span class=${`line line-${i + 1}`}></span>
          <a href=${run.href}>${run.name}</a>
          <span class="muted">${day(run.result.start_date)} – ${day(run.result.end_date)}</span>
        </li>`,
      )}
    </ol>
    ${differentRanges(runs) ? html`<p class="notice warning">${t('compare.ranges')}</p>` : nothing}
    ${isDrawn ? html`<compare-chart .runs=${runs} label=${label}></compare-chart>` : nothing}
    ${verdicts(runs)} ${figures(runs, strategies)}`;
}

/** The verdicts in columns. */
function verdicts(runs: readonly ComparedRun[]) {
  if (runs.every(({ sheet }) => sheet === null)) return nothing;
  return html`<h3>${t('sheet.verdict')}</h3>
    <div class="compared-verdicts">
      ${runs.map(({ sheet }, i) => {
        const sentences = sheet?.verdict.sentences ?? [];
        return html`<div>
          <span class=${`line line-${i + 1}`}></span>
          <ul class="small">${sentences.map(({ text }) => html`<li>${withMinus(text)}</li>`)}</ul>
        </div>`;
      })}
    </div>`;
}

/** Without what is switched off. */
const parameterWords = (params: AnyResult['params']) =>
  listed(
    Object.values(params)
      .filter((value) => value !== 0 && value !== false)
      .map((value) => textOr(`param.${value}`, String(value))),
  ) || '–';

/** `MTMX.US · Donchian breakout 40/20`, with the modes of the strategy. */
function nameOf(run: AnyResult, strategies: Strategies): string {
  const modes = Object.values(run.params).filter((value) => typeof value === 'string');
  const words = [strategyWords(strategies, run), ...modes.map((mode) => textOr(`param.${mode}`, mode))];
  return `${subjectOf(run)} · ${listed(words)}`;
}

function differentRanges([{ result: first }, ...others]: readonly ComparedRun[]): boolean {
  return others.some(({ result }) => result.start_date !== first.start_date || result.end_date !== first.end_date);
}

const percentLine = (name: string, value: Line['value'], isMoreBetter: boolean | null = true): Line => ({
  name,
  value,
  isMoreBetter,
  write: (figure) => signedPercent(figure, 1),
});
const ratioLine = (name: string, value: Line['value']): Line => ({
  name,
  value,
  isMoreBetter: true,
  write: (figure) => fixed(figure),
});

/** A figure of the tear sheets. */
const sheetLine = (
  name: string,
  pick: (sheet: TearSheet) => number | null | undefined,
  write: Line['write'],
  isMoreBetter: boolean | null = true,
): Line => ({ name, value: ({ sheet }) => (sheet && pick(sheet)) ?? null, write, isMoreBetter });

function sections(): Section[] {
  const count = (figure: number | null) => number(figure, 1);
  const share = (figure: number | null) => percent(figure, 1);
  const ratio = (figure: number | null) => fixed(figure);
  const cases = (figure: number | null) => percent(figure === null ? null : 100 * figure, 1);
  return [
    {
      title: t('sheet.figures'),
      lines: [
        percentLine(t('run.total'), ({ result }) => result.total_pnl_pct),
        percentLine(t('run.a_year'), ({ result }) => result.annualized_pct),
        percentLine(t('run.deepest_drawdown'), ({ result }) => -Math.abs(result.max_drawdown_pct)),
        ratioLine(t('run.sharpe'), ({ result }) => result.sharpe),
        ratioLine(t('run.sortino'), ({ result }) => result.sortino),
        ratioLine(t('run.calmar'), ({ result }) => result.calmar),
        sheetLine(t('sheet.volatility_pct'), ({ returns }) => returns.volatility_pct, share, false),
        sheetLine(t('sheet.cvar_95_pct'), ({ returns }) => returns.cvar_95_pct, share),
      ],
    },
    {
      title: t('sheet.against'),
      lines: [
        percentLine(t('run.holding'), ({ result }) => result.buy_hold_pnl_pct, null),
        {
          name: `${t('run.against_holding')}, ${t('run.points')}`,
          value: ({ result }) => result.excess_return_pct,
          write: (figure) => signed(figure, 1),
          isMoreBetter: true,
        },
        sheetLine(t('sheet.beta'), ({ benchmark }) => benchmark.beta, ratio, null),
        sheetLine(
          t('sheet.alpha_pct'),
          ({ benchmark }) => benchmark.alpha_pct,
          (figure) => signedPercent(figure, 1),
        ),
        sheetLine(t('sheet.information_ratio'), ({ benchmark }) => benchmark.information_ratio, ratio),
        sheetLine(t('sheet.batting_average_pct'), ({ benchmark }) => benchmark.batting_average_pct, share),
      ],
    },
    {
      title: t('sheet.time'),
      lines: [
        { name: t('run.exposure'), value: ({ result }) => result.exposure_pct, write: share, isMoreBetter: null },
        sheetLine(t('sheet.turnover_pct'), ({ time }) => time.turnover_pct, share, null),
        sheetLine(t('sheet.slippage_pct_per_year'), ({ time }) => time.costs.slippage_pct_per_year, ratio, false),
        sheetLine(t('sheet.commission_pct_per_year'), ({ time }) => time.costs.commission_pct_per_year, ratio, false),
      ],
    },
    {
      title: t('sheet.trades'),
      lines: [
        { name: t('run.trades'), value: ({ result }) => result.num_trades, write: count, isMoreBetter: null },
        { name: t('run.win_rate'), value: ({ result }) => result.win_rate, write: share, isMoreBetter: true },
        ratioLine(t('run.profit_factor'), ({ result }) => result.profit_factor),
        {
          name: t('run.bars_held'),
          value: ({ result }) => ('avg_bars_held' in result ? result.avg_bars_held : null),
          write: count,
          isMoreBetter: null,
        },
        sheetLine(t('sheet.longest_loss_streak'), ({ trades }) => trades.longest_loss_streak, count, false),
      ],
    },
    {
      title: t('sheet.chance'),
      lines: [
        ratioLine(t('evidence.appraisal'), ({ result }) => result.statistics?.skill?.appraisal ?? null),
        sheetLine(t('sheet.p_loss'), ({ chance }) => chance.bootstrap?.p_loss, cases, false),
        sheetLine(
          t('sheet.p_drawdown', { depth: '30' }),
          ({ chance }) => chance.bootstrap?.p_drawdown_above['30'],
          cases,
          false,
        ),
        sheetLine(t('sheet.random_rank'), ({ chance }) => chance.random_entries?.rank, cases),
      ],
    },
  ];
}

/** Settings that differ between the runs. */
function differentSettings(runs: readonly ComparedRun[], strategies: Strategies): { name: string; texts: string[] }[] {
  const settings: readonly (readonly [string, (result: AnyResult) => string])[] = [
    [t('form.symbol'), subjectOf],
    [t('form.strategy'), ({ strategy }) => strategyName(strategies, strategy)],
    [t('form.parameters'), ({ params }) => parameterWords(params)],
    [t('compare.range'), ({ start_date, end_date }) => `${day(start_date)} – ${day(end_date)}`],
    [t('form.execute_on'), ({ cost }) => textOr(`execute_on.${cost.execute_on}`, cost.execute_on)],
    [t('symbol.prices'), ({ adjust }) => textOr(`adjust.${adjust}`, adjust)],
    [t('form.costs'), ({ cost }) => `${percent(100 * cost.commission_rate)} · ${number(cost.slippage_bps)} bp`],
    [t('form.cash_rate'), ({ cash }) => (cash ? `${cash.rate} · ${number(cash.spread_bps)} bp` : t('word.none'))],
  ];
  return settings
    .map(([name, write]) => ({ name, texts: runs.map(({ result }) => write(result)) }))
    .filter(({ texts }) => new Set(texts).size > 1);
}

function figures(runs: readonly ComparedRun[], strategies: Strategies) {
  return figureTable(runs, ({ name }) => name, sections(), differentSettings(runs, strategies));
}
