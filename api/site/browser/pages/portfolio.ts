/** A strategy, or a rotation, on instruments that share their capital: the form, and the report of the run. A link to the page runs it again. */
import '../shell.ts';
import '../elements/portfolio-form.ts';
import '../elements/portfolio-report.ts';
import '../elements/rotation-form.ts';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fromAddress } from '../address.ts';
import { choice } from '../controls.ts';
import { SiteElement } from '../dom.ts';
import { symbolsIn } from '../elements/universe-fields.ts';
import { EXAMPLE_SYMBOLS } from '../examples.ts';
import { formPage, loadForm } from '../load.ts';
import { type AnyPortfolioBody, bodyInAddress, PORTFOLIO, type PortfolioBody } from '../run/portfolio.ts';
import { isRotationBody, type RotationBody, SCORE_PRESETS } from '../run/rotation.ts';
import { type FinishedRun, PageRun } from '../run/run-page.ts';
import { get, signedInAs } from '../session.ts';
import { marketLoading, settle } from '../states.ts';
import { day, number, signedPercent, t } from '../text.ts';
import type { History, PortfolioResult, Presets, Strategies } from '../types.ts';

/** The data behind the form. */
interface Parts {
  readonly strategies: Strategies;
  readonly presets: Presets;
}

const EXAMPLE = {
  symbols: EXAMPLE_SYMBOLS.slice(0, 4),
  strategy: 'donchian',
  time_range: '5Y',
  allocation: { max_positions: 2, rank_by: { field: 'roc_pct', order: 'desc' }, rebalance: 'month' },
} as const satisfies PortfolioBody;

const ROTATION_EXAMPLE = {
  universe: { symbols: EXAMPLE_SYMBOLS.slice(0, 4) },
  rotation: { every: 'month', score: SCORE_PRESETS.momentum, hold: { top: 2 } },
  time_range: '5Y',
  survivors: true,
} as const satisfies RotationBody;

const LISTED = 10;

@customElement('portfolio-page')
export class PortfolioPage extends SiteElement {
  /** The initial values of the form. */
  @state() body: Partial<AnyPortfolioBody> = {};
  @state() isRotation = false;
  /** Portfolios that the reader keeps. */
  @state() history: History['items'] = [];
  private readonly run = new PageRun(this, PORTFOLIO, {
    readAddress: () => {
      const named = bodyInAddress(fromAddress('run'));
      this.fill(named ?? this.begun());
      return named;
    },
    fill: (body) => this.fill(body),
  });
  private readonly parts = loadForm(this, loadParts, () => this.begin());

  private fill(body: Partial<AnyPortfolioBody>): void {
    this.body = body;
    this.isRotation = isRotationBody(body);
  }

  /** The form for the symbols that the address names; a screen names a rotation too. */
  private begun(): Partial<AnyPortfolioBody> {
    const symbols = symbolsIn(fromAddress('symbols') ?? '');
    if (fromAddress('kind') !== 'rotation') return { symbols };
    const where = fromAddress('where');
    const universe = symbols.length > 0 ? { symbols } : { all: true as const };
    return {
      universe: { ...universe, ...(where === null ? {} : { where }) },
      rotation: { score: SCORE_PRESETS.momentum },
    };
  }

  private async begin(): Promise<void> {
    await this.run.begin();
    if (this.run.state !== 'none' || signedInAs() === null) return;
    const query = { kind: 'portfolio', page_size: LISTED };
    const listed = await settle(get<History>('/v1/backtests', { query }));
    if (listed.state === 'loaded') this.history = listed.value.items;
  }

  override render() {
    return formPage(PORTFOLIO.heading, this.parts, (parts) => {
      const emptyState = () => this.emptyState();
      return html`${this.form(parts)} ${this.run.render(parts.strategies, { report, emptyState })}`;
    });
  }

  private form({ strategies, presets }: Parts) {
    const kinds = choice({
      label: t('portfolio.kind'),
      name: 'kind',
      values: [
        ['strategy', t('portfolio.kind.strategy')],
        ['rotation', t('portfolio.kind.rotation')],
      ],
      chosen: this.isRotation ? 'rotation' : 'strategy',
      onChoose: (kind) => {
        this.isRotation = kind === 'rotation';
      },
    });
    const fieldErrors = this.run.fieldErrors(strategies);
    if (this.isRotation) {
      const body = isRotationBody(this.body) ? this.body : this.universeOfList();
      return html`${kinds} ${keyed(
        this.body,
        html`<rotation-form .strategies=${strategies} .body=${body} .fieldErrors=${fieldErrors} .isBusy=${this.run.isBusy} @run=${this.run.submitted}></rotation-form>`,
      )}`;
    }
    return html`${kinds} ${keyed(
      this.body,
      html`<portfolio-form
      .strategies=${strategies}
      .presets=${presets}
      .body=${isRotationBody(this.body) ? { symbols: this.body.universe.symbols } : this.body}
      .fieldErrors=${fieldErrors}
      .isBusy=${this.run.isBusy}
      @run=${this.run.submitted}
    ></portfolio-form>`,
    )}`;
  }

  /** The list of the other form, to rotate. */
  private universeOfList(): Partial<RotationBody> {
    const { body } = this;
    const symbols = 'symbols' in body && Array.isArray(body.symbols) ? body.symbols : [];
    return { universe: { symbols } };
  }

  private emptyState() {
    if (EXAMPLE_SYMBOLS.length === 0) return marketLoading();
    return html`<section class="state">
        <h2>${t('run.empty')}</h2>
        <p>${t('portfolio.empty')}</p>
        <p><a href=${`/portfolio?${PORTFOLIO.queryOf(EXAMPLE)}`}>${t('portfolio.example', { count: EXAMPLE.symbols.length })}</a></p>
        <p><a href=${`/portfolio?${PORTFOLIO.queryOf(ROTATION_EXAMPLE)}`}>${t('rotation.example', { count: EXAMPLE.symbols.length })}</a></p>
      </section>
      ${this.keptList()}`;
  }

  private keptList() {
    if (this.history.length === 0) return nothing;
    return html`<h2>${t('portfolio.kept')}</h2>
      <ul class="plain-list">
        ${this.history.map(
          (item) => html`<li>
            <a href=${`/portfolio?id=${item.id}`}>${
              item.kind === 'portfolio' ? t('portfolio.count', { count: item.symbols_count }) : ''
            } · ${item.strategy}</a>
            ${day(item.start_date)} – ${day(item.end_date)} · ${signedPercent(item.total_pnl_pct, 1)} ·
            ${t('run.trades')} ${number(item.num_trades)}
          </li>`,
        )}
      </ul>`;
  }
}

async function loadParts(): Promise<Parts> {
  const [strategies, presets] = await Promise.all([
    get<Strategies>('/api/backtest/strategies'),
    get<Presets>('/api/screener/presets'),
  ]);
  return { strategies, presets };
}

function report({ body, result, keptId }: FinishedRun<AnyPortfolioBody, PortfolioResult>) {
  return html`<portfolio-report .result=${result} .body=${body} .keptId=${keptId} .isOwn=${true}></portfolio-report>`;
}
