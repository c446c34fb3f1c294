/** The tear sheet of a kept run, to read and to print: `?backtest=ID` or `?portfolio=ID`. */

import { customElement } from 'lit/decorators.js';
import { path } from '../api.ts';
import { html, SiteElement } from '../dom.ts';
import { saveCsv } from '../download.ts';
import { pageHead } from '../head.ts';
import { AbortScope, Load } from '../load.ts';
import { type Figure, figureList, percentFigure } from '../run/figures.ts';
import { strategyName } from '../run/kind.ts';
import { get } from '../session.ts';
import { failure, loading } from '../states.ts';
import { chanceSection } from '../tear-sheet/chance.ts';
import { readSheet } from '../tear-sheet/read.ts';
import {
  equitySection,
  monthSection,
  riskSection,
  timeSection,
  tradeSection,
  verdictSection,
} from '../tear-sheet/sections.ts';
import { day, fixed, number, signed, signedPercent, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult, PortfolioResult, Strategies, TearSheet } from '../types.ts';
import '../shell.ts';
import '../tool.ts';

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
    if (result.state === 'failed')
      return html`${pageHead(t('page.tear_sheet'))}${failure(result.error, this.sheet.reload)}`;
    if (result.value === null) return html`${pageHead(t('page.tear_sheet'))}<p>${t('sheet.missing')}</p>`;
    const { run, sheet, strategy } = result.value;
    const { sessions, start_date, end_date } = sheet;
    const print = () => window.print();
    return html`${pageHead(`${nameOf(run)} · ${strategy}`, {
      about: t('sheet.about', { start: day(start_date), end: day(end_date), sessions }),
      actions: html`<button class="primary" @click=${print}>${t('sheet.print')}</button>`,
    })}
      <article class="tear-sheet">
        ${verdictSection(sheet)} ${figureList(keyFigures(sheet, run))} ${chanceSection(sheet, { ...run, capital: run.cost.initial_capital })} ${equitySection(sheet)} ${riskSection(sheet)}
        ${monthSection(sheet)} ${timeSection(sheet)} ${tradeSection(sheet)}
        <p class="small">${run.disclaimer}</p>
      </article>
      <section class="controls"><h2>${t('data.tables')}</h2>
        <div class="row">${tablesOf(sheet).map((table) => html`<button @click=${() => saveTable(table)}>${t('sheet.csv', { table: t(`sheet.table.${table.name}`) })}</button>`)}</div>
      </section>`;
  }
}

/** The six figures that matter first, with their intervals where they have some. */
function keyFigures(sheet: TearSheet, { cost, statistics }: BacktestResult | PortfolioResult): Figure[] {
  const { returns, benchmark, trades, chance } = sheet;
  const ends = chance.bootstrap?.final_equity;
  const depths = chance.bootstrap?.max_drawdown_pct;
  const gain = (equity: number) => signed(100 * (equity / cost.initial_capital - 1), 1);
  const percents = ([low, high]: readonly [number, number]) => between(signed(low, 1), signed(high, 1));
  const annual = statistics?.annualized_interval;
  const sharpe = statistics?.sharpe_interval;
  const ahead = returns.total_pct - benchmark.total_pct;
  return [
    percentFigure(
      'returns.total_pct',
      t('sheet.total_pct'),
      returns.total_pct,
      ends && between(gain(ends.p5), gain(ends.p95)),
    ),
    percentFigure(
      'returns.annual_return_pct',
      t('sheet.annual_return_pct'),
      returns.annual_return_pct,
      annual ? percents(annual) : undefined,
    ),
    {
      place: 'benchmark.total_pct',
      name: t('sheet.against'),
      value: t('run.in_points', { points: signed(ahead, 1) }),
      tone: tone(ahead),
      unit: t('sheet.benchmark_of', { figure: signedPercent(benchmark.total_pct, 1) }),
    },
    percentFigure(
      'returns.max_drawdown_pct',
      t('sheet.max_drawdown_pct'),
      -Math.abs(returns.max_drawdown_pct),
      depths && between(signed(-depths.p95, 1), signed(-depths.p5, 1)),
    ),
    {
      place: 'returns.sharpe',
      name: t('sheet.sharpe'),
      value: fixed(returns.sharpe),
      unit: sharpe ? between(signed(sharpe[0]), signed(sharpe[1])) : undefined,
    },
    {
      place: 'trades.count',
      name: t(trades.position_summary === null ? 'sheet.count' : 'sheet.positions'),
      value: number(trades.count),
      unit: t('run.won', { share: fixed(trades.win_rate_pct, 0) }),
    },
  ];
}

const between = (low: string, high: string) => t('run.interval', { low, high });

type Row = Readonly<Record<string, string | number | null>>;

const TABLES = [
  { name: 'series', rowsOf: ({ series }) => series },
  { name: 'regression', rowsOf: ({ regression }) => regression?.terms ?? [] },
  { name: 'months', rowsOf: ({ time }) => time.months },
  { name: 'years', rowsOf: ({ time }) => time.years },
  { name: 'rolling_63', rowsOf: ({ time }) => time.rolling['63'] },
  { name: 'rolling_252', rowsOf: ({ time }) => time.rolling['252'] },
  { name: 'drawdowns', rowsOf: ({ time }) => time.drawdowns },
  { name: 'underwater', rowsOf: ({ time }) => time.underwater },
  { name: 'by_exit_reason', rowsOf: ({ trades }) => trades.by_exit_reason },
  { name: 'by_symbol', rowsOf: ({ trades }) => trades.by_symbol },
  { name: 'by_entry_month', rowsOf: ({ trades }) => trades.by_entry_month },
  { name: 'bands', rowsOf: ({ chance }) => chance.bootstrap?.bands ?? [] },
] as const satisfies readonly { readonly name: string; readonly rowsOf: (sheet: TearSheet) => readonly Row[] }[];

interface Table {
  readonly name: (typeof TABLES)[number]['name'];
  readonly rows: readonly Row[];
}

/** The tables that have rows. */
function tablesOf(sheet: TearSheet): Table[] {
  return TABLES.map(({ name, rowsOf }) => ({ name, rows: rowsOf(sheet) })).filter(({ rows }) => rows.length > 0);
}

function saveTable({ name, rows }: Table): void {
  const columns = Object.keys(rows[0]);
  saveCsv(`tear-sheet-${name}.csv`, [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]);
}
