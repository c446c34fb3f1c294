/** The signals of the watches of an account, newest session first, and the watches. */
import '../shell.ts';
import '../tool.ts';
import '../elements/data-table.ts';
import { customElement, state } from 'lit/decorators.js';
import { path } from '../api.ts';
import { CLOSE_COLUMN, SYMBOL_COLUMN } from '../columns.ts';
import { html, nothing, SiteElement } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import { actionColumn, type Column, rowButton, textColumn } from '../elements/data-table.ts';
import { pageHead } from '../head.ts';
import { Attempt, Load } from '../load.ts';
import { locale } from '../page-locale.ts';
import { amongFirst, amongFirstPct } from '../run/among-first.ts';
import { strategyWords } from '../run/kind.ts';
import { conditionOf, defaultsOf, type OutcomesBody, questionHref, universeOf } from '../run/outcomes.ts';
import { get, patch, remove, signedInAs } from '../session.ts';
import { accountNeeded, failure, LOADING, type Loaded, loading, settle } from '../states.ts';
import { day, number, textOr, ticker } from '../text.ts';
import { t } from '../tool-text.ts';
import type {
  BacktestExample,
  BacktestResult,
  OwnStrategies,
  Signal,
  Signals,
  Strategies,
  Watch,
  Watches,
} from '../types.ts';

const SHOWN = 200;
const ONE_WATCH = '/v1/my/watches/{id}';

interface Found {
  readonly signals: Signals;
  readonly watches: Watches;
  readonly strategies: OwnStrategies;
  readonly ready: Strategies;
}

@customElement('signals-page')
export class SignalsPage extends SiteElement {
  @state() found: Loaded<Found> = LOADING;
  private readonly changing = new Attempt(this);
  /** For guests: the newest fills of the example of the market as signals. */
  private readonly example = new Load(this, async () => {
    if (signedInAs() !== null) return null;
    const [{ result }, strategies] = await Promise.all([
      get<BacktestExample>('/v1/backtest/example', { query: { locale } }),
      get<Strategies>('/api/backtest/strategies'),
    ]);
    const names = { strategy: strategyWords(strategies, result), symbol: ticker(result.symbol) };
    return { rows: signalsOf(result), title: t('signals.example', names) };
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private readonly load = async (): Promise<void> => {
    if (signedInAs() === null) return this.requestUpdate();
    const signals = get<Signals>('/v1/my/signals', { query: { size: SHOWN } });
    const watches = get<Watches>('/v1/my/watches', { query: { size: 20 } });
    const strategies = get<OwnStrategies>('/v1/my/strategies', { query: { size: 100 } });
    const ready = get<Strategies>('/api/backtest/strategies');
    const all = Promise.all([signals, watches, strategies, ready]);
    this.found = await settle(all.then(([s, w, mine, r]) => ({ signals: s, watches: w, strategies: mine, ready: r })));
  };

  private async change(work: () => Promise<unknown>): Promise<void> {
    await this.changing.make(work);
    await this.load();
  }

  private async drop({ id, name }: Watch): Promise<void> {
    const text = t('signals.delete.sure', { name });
    if (await ask({ text, title: t('signals.delete'), action: t('word.delete') })) {
      await this.change(() => remove(path(ONE_WATCH, { id })));
    }
  }

  override render() {
    if (signedInAs() === null) return this.forGuests();
    const { found } = this;
    if (found.state === 'loading') return html`${pageHead(t('page.signals'))}${loading()}`;
    if (found.state === 'failed') return html`${pageHead(t('page.signals'))}${failure(found.error, this.load)}`;
    const { signals, watches } = found.value;
    const asking = actionColumn<Signal>(t('keys.action'), (signal) => questionLink(signal, found.value));
    if (watches.total === 0) return html`${pageHead(t('page.signals'))}${empty()}`;
    return html`${pageHead(t('page.signals'))}
      <p class="muted">${t('signals.intro')}</p>
      <data-table .columns=${[...SIGNAL_COLUMNS, asking]} .rows=${signals.items} caption=${t('page.signals')} .empty=${html`<p class="state">${t('signals.none')}</p>`}></data-table>
      ${signals.total > signals.items.length ? html`<p class="muted">${t('runs.of', { shown: signals.items.length, total: signals.total })}</p>` : nothing}
      <h2>${t('signals.watches')}</h2>
      ${this.changing.failure()}
      <data-table .columns=${this.watchColumns()} .rows=${watches.items} caption=${t('signals.watches')}></data-table>`;
  }

  private forGuests() {
    const { value } = this.example;
    return html`${pageHead(t('page.signals'))}${accountNeeded(this.load)}
      ${value === null ? nothing : html`<h2>${value.title}</h2><data-table .columns=${FILL_COLUMNS} .rows=${value.rows} caption=${value.title}></data-table>`}`;
  }

  private watchColumns(): Column<Watch>[] {
    const mail = (watch: Watch) => () =>
      this.change(() => patch(path(ONE_WATCH, { id: watch.id }), { mail: !watch.mail }));
    return [
      {
        key: 'name',
        title: t('word.name'),
        value: ({ name }) => name,
        cell: ({ name, missing_columns: missing = [] }) =>
          missing.length === 0
            ? name
            : html`${name}<p class="muted">${t('signals.missing', { names: missing.join(', ') })}</p>`,
      },
      {
        key: 'strategy',
        title: t('form.strategy'),
        value: ({ strategy }) => strategy,
        cell: ({ strategy, rules }) =>
          rules === undefined ? strategy : html`<a href=${`/strategies?id=${rules.saved}`}>${t('signals.own')}</a>`,
      },
      {
        key: 'what',
        title: t('universe'),
        cell: ({ symbols, screen, rotation }) =>
          rotation?.score ??
          [screen?.where ?? [], listed(screen?.symbols ?? symbols ?? [])]
            .flat()
            .filter((part) => part !== '')
            .join(' · '),
      },
      {
        key: 'mail',
        title: t('signals.mail'),
        cell: (watch) =>
          html`<input type="checkbox" role="switch" aria-label=${t('signals.mail_of', { name: watch.name })} .checked=${watch.mail} @change=${mail(watch)} />`,
      },
      actionColumn(t('keys.action'), (watch) =>
        rowButton(t('word.delete'), t('signals.delete.one', { name: watch.name }), () => this.drop(watch)),
      ),
    ];
  }
}

const FEW = 3;

function listed(symbols: readonly string[]): string {
  const more = symbols.length - FEW;
  return `${symbols.slice(0, FEW).map(ticker).join(', ')}${more > 0 ? ` +${number(more)}` : ''}`;
}

function figures({ values }: Signal): string {
  return Object.entries(values)
    .map(([text, value]) => `${text} ${number(value)}`)
    .join(' · ');
}

/** A signal as far as the trades of a run tell it. */
type Told = Pick<Signal, 'date' | 'symbol' | 'kind' | 'corrected'> & { readonly reason: string };

const SHOWN_FILLS = 6;

/** The newest signals behind the trades of a run: of the close before, where it trades at the next open. */
function signalsOf({ symbol, trades = [], equity = [], cost }: BacktestResult): Told[] {
  const days = equity.map(({ ts }) => ts);
  const signaled = (date: string) => (cost.execute_on === 'close' ? date : (days[days.indexOf(date) - 1] ?? date));
  const told = { symbol, corrected: false };
  return trades
    .flatMap(({ entry_date, exit_date, exit_reason: reason }): Told[] => [
      { ...told, date: signaled(entry_date), kind: 'entry', reason: 'signal' },
      ...(reason === 'end_of_data' ? [] : [{ ...told, date: signaled(exit_date), kind: 'exit' as const, reason }]),
    ])
    .slice(-SHOWN_FILLS)
    .reverse();
}

const FILL_COLUMNS: Column<Told>[] = [
  textColumn('date', t('shell.session'), ({ date }) => date, day),
  SYMBOL_COLUMN,
  {
    key: 'kind',
    title: t('signals.kind'),
    value: ({ kind }) => kind,
    cell: ({ kind, reason, corrected }) =>
      html`${kind === 'entry' ? '▲' : '▼'} ${t(`signals.${kind}`)}${kind === 'exit' ? ` · ${textOr(`exit.${reason}`, reason)}` : ''}${corrected ? ` · ${t('signals.corrected')}` : ''}`,
  },
];

const SIGNAL_COLUMNS: Column<Signal>[] = [
  ...FILL_COLUMNS,
  CLOSE_COLUMN,
  { key: 'watch', title: t('signals.watch'), value: ({ watch }) => watch.name },
  { key: 'values', title: t('signals.values'), cell: (signal) => html`<code class="small">${figures(signal)}</code>` },
];

/** The condition of the entries of a watch, and among which instruments; null: none says it. */
function questionOf(
  { screen, rules, rotation, strategy, params }: Watch,
  { strategies, ready }: Found,
): Pick<OutcomesBody, 'condition' | 'universe'> | null {
  if (screen) return { condition: screen.where };
  if (rotation) {
    const { score, order, hold, universe } = rotation;
    const isHeld = 'top' in hold ? amongFirst(score, order, hold.top) : amongFirstPct(score, order, hold.top_pct);
    return { condition: conditionOf(isHeld, params), universe: universeOf(universe) };
  }
  const own = strategies.items.find((one) => one.id === rules?.saved);
  if (own) return { condition: conditionOf(own.rules.entry, { ...defaultsOf(own.parameters), ...params }) };
  const entry = ready.strategies.find(({ code }) => code === strategy)?.rules?.entry;
  return entry === undefined ? null : { condition: conditionOf(entry, params) };
}

/** Asks what happened after other signals of the watch on the instrument; nothing where no condition says them. */
function questionLink({ symbol, watch: { id } }: Signal, found: Found) {
  const watch = found.watches.items.find((one) => one.id === id);
  const question = watch && questionOf(watch, found);
  if (!question) return nothing;
  return html`<a href=${questionHref({ ...question, for: [symbol] })} aria-label=${`${t('symbol.outcomes')}: ${symbol}`}>${t('symbol.outcomes')}</a>`;
}

function empty() {
  return html`<section class="state">
    <h2>${t('signals.empty')}</h2>
    <p>${t('signals.empty.text')}</p>
    <p><a href="/strategies">${t('page.strategies')}</a></p>
  </section>`;
}
