/** A strategy, a rotation, or weights to hold on instruments that share their capital: the report of the run, and its set-up beside it. */
import '../shell.ts';
import '../tool.ts';
import '../elements/portfolio-form.ts';
import '../elements/rotation-form.ts';
import '../elements/weights-form.ts';
import '../elements/weights-report.ts';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { ruleWords, SCORE_PRESETS } from '../../run-idea.ts';
import { fromAddress } from '../address.ts';
import { choice } from '../controls.ts';
import { html, leadToPlace, nothing, SiteElement } from '../dom.ts';
import '../elements/portfolio-report.ts';
import { fieldErrorsOf } from '../elements/strategy-fields.ts';
import { membersOf, universeInAddress } from '../elements/universe-chip.ts';
import { moreActions, pageHead } from '../head.ts';
import { keepMyList } from '../kept-list.ts';
import { loadForm, readExample } from '../load.ts';
import { runJob } from '../run/call.ts';
import { strategyWords } from '../run/kind.ts';
import { Latest } from '../run/latest.ts';
import {
  type AnyPortfolioBody,
  bodyInAddress,
  compareInAddress,
  dayAfter,
  PORTFOLIO,
  type PortfolioBody,
  runQuery,
} from '../run/portfolio.ts';
import { isRotationBody, isRotationResult, type RotationBody } from '../run/rotation.ts';
import { type FinishedRun, PageRun } from '../run/run-page.ts';
import { DEFAULT_STRATEGY, withDefaults } from '../run/specification.ts';
import {
  type CompareBody,
  type Compared,
  isCompareBody,
  isWeightsBody,
  isWeightsResult,
  type WeightsBody,
} from '../run/weights.ts';
import { get } from '../session.ts';
import { failure } from '../states.ts';
import { day, symbolsIn } from '../text.ts';
import { t } from '../tool-text.ts';
import type { PortfolioResult, Presets, Strategies } from '../types.ts';
import {
  closeSetup,
  emptyResult,
  onceLoaded,
  refused,
  reportShape,
  setupButton,
  spentFoot,
  workspace,
} from '../workspace.ts';

/** The data behind the form. */
interface Parts {
  readonly strategies: Strategies;
  readonly presets: Presets;
}

/** Names that a rotation of an address holds. */
const HELD = 10;

/** The forms, by what decides which instruments are held. */
const FORMS = ['strategy', 'rotation', 'weights'] as const;
type Form = (typeof FORMS)[number];

const formOf = (result: PortfolioResult): Form =>
  isRotationResult(result) ? 'rotation' : isWeightsResult(result) ? 'weights' : 'strategy';

@customElement('portfolio-page')
export class PortfolioPage extends SiteElement {
  /** The initial values of the form. */
  @state() body: Partial<AnyPortfolioBody> = {};
  @state() kind: Form = 'strategy';
  /** The initial values of each form: of the list of the other, where the call is of that. */
  private strategyBody: Partial<PortfolioBody> = {};
  private rotationBody: Partial<RotationBody> = {};
  private weightsBody: Partial<WeightsBody | CompareBody> = {};
  /** Weights beside each other, in the place of a run. */
  private readonly compared = new Latest<{ readonly body: CompareBody; readonly result: Compared }>(this);
  private readonly run = new PageRun<AnyPortfolioBody, PortfolioResult>(this, PORTFOLIO, {
    readAddress: () => {
      const named = bodyInAddress(fromAddress('run')) ?? begun();
      const body = named && withDefaults(named);
      this.fill(body ?? withDefaults({}));
      // The example that comes is a rotation: the form does not turn into another under its reader.
      if (body === null) this.kind = 'rotation';
      return body;
    },
    fill: (body) => this.fill(body),
    example: async (signal) => {
      const result = await readExample<PortfolioResult>('/v1/portfolio/example', signal);
      // A copy of the example goes on to the newest bar.
      const { end: _end, ...body } = PORTFOLIO.bodyOf(result);
      return { body, result };
    },
  });
  private readonly parts = loadForm(this, loadParts, () => {
    const body = compareInAddress(fromAddress('run'));
    if (body !== null) return this.compare(body);
    this.compared.clear();
    return this.run.begin();
  });

  private compare(body: CompareBody): Promise<void> {
    this.run.clear();
    this.fill(body);
    return this.compared.follow(async (signal) => ({
      body,
      result: await runJob<Compared>(PORTFOLIO.api.run, body, signal, this.run.answered),
    }));
  }

  private fill(body: Partial<AnyPortfolioBody | CompareBody>): void {
    this.body = body;
    const isOfWeights = isWeightsBody(body) || isCompareBody(body);
    this.kind = isRotationBody(body) ? 'rotation' : isOfWeights ? 'weights' : 'strategy';
    const symbols = isRotationBody(body) ? body.universe.symbols : 'symbols' in body ? body.symbols : undefined;
    this.strategyBody =
      isRotationBody(body) || isWeightsBody(body) || isCompareBody(body) ? withDefaults({ symbols }) : body;
    this.rotationBody = isRotationBody(body) ? body : withDefaults({ universe: { symbols: symbols ?? [] } });
    this.weightsBody = isOfWeights ? body : withDefaults({});
  }

  override render() {
    return onceLoaded(this.parts, PORTFOLIO.heading, (parts) => this.page(parts));
  }

  private page(parts: Parts) {
    const { strategies } = parts;
    const { allowance, seconds, shown, isBusy } = this.run;
    if (this.compared.state !== 'none') return this.comparison(parts);
    return workspace({
      page: PORTFOLIO.page,
      head: this.head(strategies),
      isBusy,
      stale: this.stale,
      content: this.run.outcome(strategies, () => emptyResult(t('run.empty'), t('portfolio.empty')), report),
      setup: this.setup(parts),
      foot: spentFoot({ allowance, seconds, trials: shown?.result.selection?.trials }),
    });
  }

  private comparison(parts: Parts) {
    const { compared } = this;
    const { shown, isBusy, error } = compared;
    const names = shown === null ? '\u00a0' : shown.result.runs.map(({ name }) => name).join(' · ');
    const errors = fieldErrorsOf(error, parts.strategies);
    const failed = () => (Object.keys(errors).length > 0 ? refused(errors) : failure(error, () => this.parts.reuse()));
    const content = error === null ? nothing : failed();
    return workspace({
      page: PORTFOLIO.page,
      head: pageHead(t('weights.heading'), { about: names, actions: setupButton() }),
      isBusy,
      stale: compared.stale,
      content: html`${content}${shown === null ? (isBusy ? reportShape() : nothing) : html`<weights-report .body=${shown.body} .compared=${shown.result}></weights-report>`}`,
      setup: this.setup(parts),
      foot: spentFoot({ allowance: this.run.allowance, seconds: null, trials: undefined }),
    });
  }

  /** Switched to the other form, nothing in sight is of it. */
  private get stale(): string | null {
    const { stale, shown } = this.run;
    const isOfOther = shown !== null && formOf(shown.result) !== this.kind;
    return stale ?? (isOfOther ? t('form.before') : null);
  }

  private head(strategies: Strategies) {
    const { shown } = this.run;
    // An empty line keeps its room.
    if (shown === null) return pageHead(PORTFOLIO.heading, { about: '\u00a0', actions: setupButton() });
    const { result } = shown;
    return pageHead(PORTFOLIO.subject(result), {
      about: aboutOf(result, strategies),
      actions: html`${setupButton()}
        ${moreActions(html`<a class="button" href="#evidence" @click=${leadToPlace}>${t('evidence.verify')}</a>
          ${this.run.compareButton(strategies)}
          ${this.run.sealButton()}
          ${this.run.shareButton()}`)}
        ${this.run.keepButton()}`,
    });
  }

  private setup(parts: Parts) {
    const { shown, isExample } = this.run;
    return html`${this.form(parts)}
      ${shown !== null && isExample ? html`<p class="muted small">${t('form.example', { date: day(shown.result.end_date) })}</p>` : nothing}
      <p class="small"><a href="/runs">${t('nav.runs')}</a></p>`;
  }

  private readonly submitted = (event: CustomEvent<AnyPortfolioBody>): Promise<void> => {
    closeSetup();
    const { detail } = event;
    if (isCompareBody(detail)) {
      history.pushState(null, '', `?${runQuery(detail)}`);
      return this.compare(detail);
    }
    this.compared.clear();
    if (isRotationBody(detail) && detail.universe.symbols) keepMyList(detail.universe.symbols);
    return this.run.submitted(event);
  };

  private form({ strategies, presets }: Parts) {
    const kinds = choice({
      label: t('portfolio.kind'),
      name: 'kind',
      values: FORMS.map((kind) => [kind, t(`portfolio.kind.${kind}`)] as const),
      chosen: this.kind,
      onChoose: (kind) => {
        this.kind = kind;
        // An example that comes later leaves the form that the reader has chosen.
        this.run.edited();
      },
    });
    const { compared } = this;
    const making = compared.state === 'none' ? this.run : compared;
    const fieldErrors =
      compared.state === 'none' ? this.run.fieldErrors(strategies) : fieldErrorsOf(compared.error, strategies);
    if (this.kind === 'weights') {
      return html`${kinds} ${keyed(
        this.body,
        html`<weights-form .strategies=${strategies} .body=${this.weightsBody} .fieldErrors=${fieldErrors} .isBusy=${making.isBusy} .shown=${making.shown} @differ=${making.differ} @input=${making.edited}
        @run=${this.submitted}></weights-form>`,
      )}`;
    }
    if (this.kind === 'rotation') {
      return html`${kinds} ${keyed(
        this.body,
        html`<rotation-form .strategies=${strategies} .body=${this.rotationBody} .fieldErrors=${fieldErrors} .isBusy=${this.run.isBusy} .shown=${this.run.shown} @differ=${this.run.differ} @input=${this.run.edited}
        @run=${this.submitted}></rotation-form>`,
      )}`;
    }
    return html`${kinds} ${keyed(
      this.body,
      html`<portfolio-form
      .strategies=${strategies}
      .presets=${presets}
      .body=${this.strategyBody}
      .fieldErrors=${fieldErrors}
      .isBusy=${this.run.isBusy}
      .shown=${this.run.shown}
      @differ=${this.run.differ}
      @input=${this.run.edited}
        @run=${this.submitted}
    ></portfolio-form>`,
    )}`;
  }
}

async function loadParts(): Promise<Parts> {
  const [strategies, presets] = await Promise.all([
    get<Strategies>('/api/backtest/strategies'),
    get<Presets>('/api/screener/presets'),
  ]);
  return { strategies, presets };
}

/** The call for the symbols that the address names; a screen names a rotation too. */
function begun(): AnyPortfolioBody | null {
  const symbols = symbolsIn(fromAddress('symbols') ?? '');
  const where = fromAddress('where');
  if (fromAddress('kind') === 'rotation') {
    const universe = symbols.length > 0 ? { symbols } : { all: true as const, ...membersOf(universeInAddress()) };
    return {
      universe: { ...universe, ...(where === null ? {} : { where }) },
      rotation: {
        every: 'month',
        score: SCORE_PRESETS.momentum,
        hold: { top: Math.min(HELD, symbols.length || HELD) },
      },
    };
  }
  return symbols.length === 0 ? null : { symbols, strategy: DEFAULT_STRATEGY };
}

/** `Momentum, 12 months less 1: the best 10, May 29, 2021 to May 29, 2026` */
function aboutOf(result: PortfolioResult, strategies: Strategies): string {
  const strategy = ruleWords(result, strategyWords(strategies, result), t);
  return t('run.about', { strategy, start: day(result.start_date), end: day(result.end_date) });
}

/** Tells of look-ahead: the names of the run were picked after some of its sessions. */
function lookAhead({ body, result }: FinishedRun<AnyPortfolioBody, PortfolioResult>) {
  const screened = fromAddress('screened');
  const before = (result.equity ?? []).filter(({ ts }) => screened !== null && ts <= screened).length;
  if (screened === null || before === 0) return nothing;
  const { time_range: _range, ...run } = body;
  const later = PORTFOLIO.queryOf({ ...run, start: dayAfter(screened) });
  const start = html` <a href=${`/portfolio?${later}&screened=${screened}`}>${t('portfolio.start_at_screen')}</a>`;
  return html`<p class="notice" role="status">${t('portfolio.look_ahead', { count: before })}${screened < result.end_date ? start : nothing}</p>`;
}

function report(run: FinishedRun<AnyPortfolioBody, PortfolioResult>) {
  const { body, result, keptId } = run;
  return html`${lookAhead(run)}<portfolio-report .result=${result} .body=${body} .keptId=${keptId} .isOwn=${true}></portfolio-report>`;
}
