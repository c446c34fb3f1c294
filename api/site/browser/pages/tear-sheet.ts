/** The tear sheet of a kept run, to read and to print: `?backtest=ID` or `?portfolio=ID`. */
import '../shell.ts';
import '../tool.ts';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { path } from '../api.ts';
import { SiteElement } from '../dom.ts';
import { pageHead } from '../head.ts';
import { AbortScope, Load } from '../load.ts';
import { figureList } from '../run/figures.ts';
import { strategyName } from '../run/kind.ts';
import { get } from '../session.ts';
import { failure, loading } from '../states.ts';
import { chanceSection } from '../tear-sheet/chance.ts';
import { keyFigures } from '../tear-sheet/key-figures.ts';
import { readSheet } from '../tear-sheet/read.ts';
import {
  equitySection,
  monthSection,
  riskSection,
  timeSection,
  tradeSection,
  verdictSection,
} from '../tear-sheet/sections.ts';
import { saveTable, tablesOf } from '../tear-sheet/tables.ts';
import { day } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult, PortfolioResult, Strategies } from '../types.ts';

const KINDS = {
  backtest: '/v1/backtests/{id}',
  portfolio: '/v1/portfolios/{id}',
} as const;

/** The kept run that the address names; null: none. */
function runOfAddress(): string | null {
  const query = new URLSearchParams(location.search);
  for (const kind of ['backtest', 'portfolio'] as const) {
    const id = query.get(kind);
    if (id !== null) return path(KINDS[kind], { id });
  }
  return null;
}

type Run = BacktestResult | PortfolioResult;

const nameOf = (run: Run) =>
  'symbols' in run ? `${run.symbols.slice(0, 3).join(', ')}${run.symbols.length > 3 ? ' …' : ''}` : run.symbol;

@customElement('tear-sheet-page')
export class TearSheetPage extends SiteElement {
  private readonly address = runOfAddress();
  private readonly scope = new AbortScope(this);
  private readonly sheet = new Load(this, async () => {
    if (this.address === null) return null;
    const signal = this.scope.next();
    const query = { include_trades: false, include_equity: false };
    const [run, sheet, strategies] = await Promise.all([
      get<Run>(this.address, { query, signal }),
      readSheet(this.address, signal),
      get<Strategies>('/api/backtest/strategies', { signal }),
    ]);
    return { run, sheet, strategy: strategyName(strategies, run.strategy) };
  });

  override render() {
    const { result } = this.sheet;
    if (result.state === 'loading') return html`${pageHead(t('page.tear_sheet'))}${loading()}`;
    if (result.state === 'failed') return failure(result.error, this.sheet.reload);
    if (result.value === null) return html`${pageHead(t('page.tear_sheet'))}<p>${t('sheet.missing')}</p>`;
    const { run, sheet, strategy } = result.value;
    const { sessions, start_date, end_date } = sheet;
    const print = () => window.print();
    return html`${pageHead(`${nameOf(run)} · ${strategy}`, {
      about: t('sheet.about', { start: day(start_date), end: day(end_date), sessions }),
      actions: html`<button class="primary" @click=${print}>${t('sheet.print')}</button>`,
    })}
      <article class="tear-sheet">
        ${verdictSection(sheet)} ${figureList(keyFigures(sheet, run))} ${equitySection(sheet)} ${riskSection(sheet)}
        ${monthSection(sheet)} ${timeSection(sheet)} ${tradeSection(sheet)} ${chanceSection(sheet, run)}
        <p class="small">${run.disclaimer}</p>
      </article>
      <section class="controls"><h2>${t('sheet.tables')}</h2>
        <div class="row">${tablesOf(sheet).map((table) => html`<button @click=${() => saveTable(table)}>${t('sheet.csv', { table: t(`sheet.table.${table.name}`) })}</button>`)}</div>
      </section>`;
  }
}
