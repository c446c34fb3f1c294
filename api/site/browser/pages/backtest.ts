/** A strategy on an instrument: the report of the run, and its set-up beside it. A link to the page runs it again. */

import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { TRADE_COLUMNS } from '../../../runs/trade-columns.ts';
import { find, html, leadToPlace, nothing, SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { BacktestForm } from '../elements/backtest-form.ts';
import { isExit, labelOf, parametersOf } from '../elements/strategy-fields.ts';
import { moreActions, pageHead } from '../head.ts';
import { loadForm, readExample } from '../load.ts';
import { BACKTEST, type BacktestBody, bodyIn } from '../run/backtest.ts';
import { strategyWords } from '../run/kind.ts';
import { type FinishedRun, PageRun } from '../run/run-page.ts';
import { OWN_RULES, RULE_PARTS, type Rules, settingsInAddress, settingsOf } from '../run/specification.ts';
import { watchRun } from '../run/watch.ts';
import { get } from '../session.ts';
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestExample, BacktestResult, Neighbors, Strategies } from '../types.ts';
import { emptyResult, onceLoaded, setupButton, spentFoot, workspace } from '../workspace.ts';
import '../shell.ts';
import '../tool.ts';
import '../elements/neighbor-bars.ts';
import '../elements/run-report.ts';

/** Share of the allowance below which changes no longer run by themselves. */
const AUTOMATIC_ABOVE = 1 / 3;
/** Share above which neighboring values are computed without being asked for. */
const NEIGHBORS_ABOVE = 1 / 2;

@customElement('backtest-page')
export class BacktestPage extends SiteElement {
  /** The initial values of the form. */
  @state() settings = settingsInAddress();
  /** Those of the example. */
  private neighbors: Neighbors | null = null;
  private readonly run = new PageRun<BacktestBody, BacktestResult>(this, BACKTEST, {
    readAddress: () => {
      this.settings = settingsInAddress();
      return this.settings.symbol ? bodyIn(this.settings) : null;
    },
    fill: (body) => {
      this.settings = { symbol: body.symbol, ...settingsOf(body) };
    },
    runPending: () => find(this, 'backtest-form', BacktestForm).runPending(),
    example: async (signal) => {
      const { result, neighbors } = await readExample<BacktestExample>('/v1/backtest/example', signal);
      this.neighbors = neighbors;
      // A copy of the example goes on to the newest bar.
      const { end: _end, ...body } = BACKTEST.bodyOf(result);
      return { body, result };
    },
  });
  private readonly strategies = loadForm(this, () => get<Strategies>('/api/backtest/strategies'), this.run.begin);

  /** Whether more than this share of the allowance is left, as far as it is known. */
  private hasLeft(share: number): boolean {
    const { allowance } = this.run;
    return allowance === null || allowance.remaining > share * allowance.limit;
  }

  override render() {
    return onceLoaded(this.strategies, BACKTEST.heading, (strategies) => this.page(strategies));
  }

  private page(strategies: Strategies) {
    return workspace({
      page: BACKTEST.page,
      head: this.head(strategies),
      isBusy: this.run.isBusy,
      stale: this.run.stale,
      content: this.run.outcome(strategies, () => emptyResult(t('run.empty'), t('run.empty.text')), report),
      setup: this.setup(strategies),
      foot: this.foot(),
    });
  }

  private head(strategies: Strategies) {
    const { shown } = this.run;
    // An empty line keeps its room.
    if (shown === null) return pageHead(BACKTEST.heading, { about: '\u00a0', actions: setupButton() });
    const { result } = shown;
    return pageHead(result.symbol, {
      about: aboutOf(result, strategies),
      actions: html`${setupButton()}
        ${moreActions(html`<button @click=${() => saveTrades(result)}>${t('symbol.csv')}</button>
          <a class="button" href="#evidence" @click=${leadToPlace}>${t('evidence.verify')}</a>
          ${this.run.watchButton((run, signal) => watchRun(run, strategies, signal))}
          ${this.run.compareButton(strategies)}
          ${this.run.sealButton()}
          ${this.run.shareButton()}`)}
        ${this.run.keepButton()}`,
    });
  }

  private setup(strategies: Strategies) {
    const isAutomatic = this.hasLeft(AUTOMATIC_ABOVE);
    return html`${keyed(
      this.settings,
      html`<backtest-form
            .strategies=${strategies}
            .settings=${this.settings}
            .fieldErrors=${this.run.fieldErrors(strategies)}
            .isBusy=${this.run.isBusy}
            .isAutomatic=${isAutomatic}
            .shown=${this.run.shown}
            @differ=${this.run.differ}
            @input=${this.run.edited}
            @run=${this.run.submitted}
          ></backtest-form>`,
    )}
        ${this.run.shown === null ? nothing : this.afterRun(strategies, this.run.shown)}`;
  }

  /** The finished run as a rule, and with neighboring values of its first parameter. */
  private afterRun(strategies: Strategies, { body, result }: FinishedRun<BacktestBody, BacktestResult>) {
    const rules = rulesOfRun(result, strategies);
    const strategy = strategies.strategies.find(({ code }) => code === result.strategy);
    const named =
      strategy && parametersOf(strategy).find(([name, { type }]) => !isExit(name) && /^(integer|number)$/.test(type));
    const choose = ({ detail: value }: CustomEvent<string>) =>
      named && find(this, 'backtest-form', BacktestForm).choose(named[0], value);
    const copy = { ...body, strategy: OWN_RULES, rules, params: undefined };
    return html`${
      rules === undefined
        ? nothing
        : html`<div class="row spread section-head">
              <h3>${t('form.as_rule')}</h3>
              ${result.strategy === OWN_RULES ? nothing : html`<a href=${`/backtest?${BACKTEST.queryOf(copy)}`}>${t('form.edit')}</a>`}
            </div>
            <dl class="rule-words">
              ${RULE_PARTS.map((part) => (rules[part] === undefined ? nothing : html`<dt>${t(`rule.word.${part}`)}</dt><dd><code>${rules[part]}</code></dd>`))}
            </dl>`
    }
    ${
      named
        ? html`<neighbor-bars
            .body=${body}
            vary=${named[0]}
            label=${labelOf(...named)}
            chosen=${String(result.params[named[0]] ?? '')}
            .known=${this.run.isExample ? this.neighbors : null}
            .isRunning=${this.run.isBusy}
            .isAutomatic=${!this.run.isExample && !this.run.isBusy && this.hasLeft(NEIGHBORS_ABOVE)}
            .answered=${this.run.answered}
            @choose=${choose}
          ></neighbor-bars>`
        : nothing
    }
    ${this.run.isExample ? html`<p class="muted small">${t('form.example', { date: day(result.end_date) })}</p>` : nothing}
    ${strategy ? proofOf(strategy) : nothing}`;
  }

  private foot() {
    const { allowance, seconds, shown } = this.run;
    return spentFoot({ allowance, seconds, trials: shown?.result.selection?.trials });
  }
}

/** The newest proof that the strategy is free of look-ahead, or how to get the first. */
function proofOf({ look_ahead_proof: proof }: Strategies['strategies'][number]) {
  if (proof === null) {
    return html`<p class="muted small">${t('look_ahead.no_proof', { action: t('evidence.look_ahead') })}</p>`;
  }
  const { proved_at, prefixes, symbol, engine_version } = proof;
  return html`<p class="muted small">
    ${t('look_ahead.proof', { at: day(proved_at), prefixes, symbol, engine: engine_version })}
  </p>`;
}

/** `Donchian breakout 40/20, Nov 23, 2023 to Nov 23, 2026` */
function aboutOf(result: BacktestResult, strategies: Strategies): string {
  const { start_date, end_date } = result;
  return t('run.about', { strategy: strategyWords(strategies, result), start: day(start_date), end: day(end_date) });
}

function report({ body, result, keptId }: FinishedRun<BacktestBody, BacktestResult>) {
  return html`<run-report .result=${result} .body=${body} .keptId=${keptId} .isOwn=${true}></run-report>`;
}

function saveTrades({ symbol, strategy, trades = [] }: BacktestResult): void {
  const rows = trades.map((trade) => TRADE_COLUMNS.map((name) => trade[name]));
  saveCsv(`${symbol}-${strategy}-trades.csv`, [TRADE_COLUMNS, ...rows]);
}

/** The rules of a run with the values of its parameters. Undefined: the strategy cannot be written as rules. */
function rulesOfRun({ strategy, rules, params }: BacktestResult, { strategies }: Strategies): Rules | undefined {
  const texts = rules ?? strategies.find(({ code }) => code === strategy)?.rules;
  if (!texts) return undefined;
  const filled = RULE_PARTS.flatMap((part) => {
    const text = texts[part];
    return text === undefined ? [] : [[part, text.replace(/\$(\w+)/g, (whole, name) => String(params[name] ?? whole))]];
  });
  return Object.fromEntries(filled);
}
