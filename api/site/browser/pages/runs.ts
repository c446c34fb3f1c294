/** The kept runs of an account, of every kind, and its sweeps: named, found by words, sorted by any figure, compared, and deleted. */
import '../shell.ts';
import '../tool.ts';
import { customElement, state } from 'lit/decorators.js';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import { path } from '../api.ts';
import { fieldsOf, html, nothing, SiteElement, targetOf, textIn } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import { askFields } from '../elements/ask-fields.ts';
import { MAX_COMPARED } from '../elements/compare-chart.ts';
import { type Column, changeColumn, numberColumn, percentColumn, rowButton } from '../elements/data-table.ts';
import { isKey, keyOf } from '../elements/run-compare.ts';
import { sweepLinks } from '../elements/sweep-links.ts';
import { EXAMPLE_SYMBOLS, exampleBacktest } from '../examples.ts';
import { pageHead } from '../head.ts';
import { Attempt, Load } from '../load.ts';
import { locale } from '../page-locale.ts';
import { sparkLine } from '../plot.ts';
import { callsInAddress } from '../run/compared.ts';
import { strategyName } from '../run/kind.ts';
import { get, patch, remove, signedInAs } from '../session.ts';
import { accountNeeded, LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { day, fixed, signedPercent, ticker, tone } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestExample, History, Strategies, Sweep, Sweeps } from '../types.ts';

type Item = History['items'][number];

const SHOWN = 100;
/** Columns of what only an account does. */
const OWN = ['compare', 'verdict', 'created', 'change'];

interface Kept extends History {
  readonly strategies: Strategies;
  readonly sweeps: readonly Sweep[];
}

/** The page of a kept run, or of the example, and what it holds in a few words. */
const pageOf = ({ kind, id }: Pick<Item, 'kind' | 'id'>) => (id === 0 ? `/${kind}` : `/${kind}?id=${id}`);
const subjectOf = (item: Item) =>
  item.kind === 'portfolio' ? t('portfolio.count', { count: item.symbols_count }) : ticker(item.symbol);

@customElement('runs-page')
export class RunsPage extends SiteElement {
  @state() runs: Loaded<Kept> = LOADING;
  /** Deletes a run. */
  private readonly changing = new Attempt(this);
  /** Runs that are compared, in the order in which they were chosen. */
  @state() compared: readonly string[] = comparedInAddress();
  /** Compared beside them without being kept. */
  @state() calls = callsInAddress();
  private readonly strategies = new Load(this, () => get<Strategies>('/api/backtest/strategies'));

  /** For guests: the example of the market as if it were kept. */
  private readonly example = new Load(this, async () => {
    if (signedInAs() !== null) return null;
    const [{ result }, strategies] = await Promise.all([
      get<BacktestExample>('/v1/backtest/example', { query: { locale } }),
      get<Strategies>('/api/backtest/strategies'),
    ]);
    const line = (result.equity ?? [])
      .map(({ equity }) => equity)
      .filter((_, i, { length }) => i % Math.ceil(length / 32) === 0);
    const row = {
      ...result,
      kind: 'backtest' as const,
      id: 0,
      name: null,
      tags: [],
      line,
      created_at: result.end_date,
      idea: null,
      luck: result.statistics?.skill?.psr == null ? null : 1 - result.statistics.skill.psr,
    };
    return { row, strategies };
  });

  constructor() {
    super();
    followAddress(this, () => {
      this.compared = comparedInAddress();
      this.calls = callsInAddress();
      this.load();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private readonly load = async (): Promise<void> => {
    if (signedInAs() === null) return this.requestUpdate();
    const q = fromAddress('q');
    const query = { kind: 'all', page_size: SHOWN, q };
    const read = async () => {
      const [history, strategies, sweeps] = await Promise.all([
        get<History>('/api/backtest/history', { query }),
        get<Strategies>('/api/backtest/strategies'),
        // Words are of single runs.
        q === null ? get<Sweeps>('/v1/sweeps', { query: { size: SHOWN } }) : { items: [] },
      ]);
      return { ...history, strategies, sweeps: sweeps.items };
    };
    const runs = await settle(read());
    // Other words may have been asked for meanwhile.
    if (q === fromAddress('q')) this.runs = runs;
  };

  private readonly filter = (event: SubmitEvent) => {
    event.preventDefault();
    toAddress({ q: textIn(fieldsOf(event), 'q') });
    this.load();
  };

  private compare(id: string, isCompared: boolean): void {
    const others = this.compared.filter((one) => one !== id);
    this.compared = isCompared ? [...others, id] : others;
    toAddress({ compare: this.compared.join(',') }, false);
  }

  private async drop(item: Item, strategy: string): Promise<void> {
    const text = t('runs.delete.sure', { symbol: subjectOf(item), strategy });
    if (!(await ask({ text, title: t('runs.delete.title'), action: t('word.delete') }))) return;
    if (await this.changing.make(() => remove(path(`/api/${item.kind}/{id}`, { id: item.id })))) await this.load();
  }

  private async label(item: Item): Promise<void> {
    const { kind, id, name, tags } = item;
    const isDone = await askFields({
      title: t('runs.labels'),
      action: t('word.save'),
      fields: [
        { name: 'name', label: t('word.name'), value: name ?? '' },
        { name: 'tags', label: t('runs.tags'), value: tags.join(', ') },
      ],
      work: (form) =>
        patch(path(`/v1/${kind}s/{id}`, { id }), {
          name: textIn(form, 'name') || null,
          tags: tagsIn(textIn(form, 'tags')),
        }),
    });
    if (isDone) await this.load();
  }

  override render() {
    if (signedInAs() === null)
      return html`${pageHead(t('page.runs'))}${this.ofCalls([])}${accountNeeded(this.load)}${this.example.value ? this.shownExample(this.example.value) : nothing}`;
    return html`${pageHead(t('page.runs'))}${this.ofCalls(this.runs.state === 'loaded' ? this.runs.value.items : [])}
      <form class="row controls one-line" @submit=${this.filter}>
        <label class="field wide"><span>${t('runs.filter')}</span><input name="q" maxlength="120" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder=${t('runs.filter.example')} .value=${fromAddress('q') ?? ''} /></label>
        <button>${t('runs.show')}</button>
      </form>
      ${this.changing.failure()} ${whenLoaded(this.runs, this.load, (runs) => this.list(runs))}`;
  }

  private shownExample({ row, strategies }: NonNullable<typeof this.example.value>) {
    const columns = this.columns((code) => strategyName(strategies, code)).filter(({ key }) => !OWN.includes(key));
    return html`<h2>${t('runs.example')}</h2>
      <data-table class="dense wrapped" .columns=${columns} .rows=${[row]} caption=${t('runs.example')}></data-table>`;
  }

  private list({ total, items, strategies, sweeps }: Kept) {
    const { length } = this.compared;
    return html`${items.length > 1 && length < 2 ? html`<p class="muted">${t('compare.how', { most: MAX_COMPARED })}</p>` : nothing}
      ${total > 0 ? html`<p class="muted">${t('runs.of', { shown: items.length, total })}</p>` : nothing}
      <data-table
        class="dense wrapped"
        .columns=${this.columns((code) => strategyName(strategies, code))}
        .rows=${items}
        .empty=${
          fromAddress('q') !== null
            ? html`<section class="state"><h2>${t('runs.nothing')}</h2></section>`
            : html`<section class="state">
          <h2>${t('runs.empty')}</h2>
          ${EXAMPLE_SYMBOLS.length === 0 ? nothing : html`<p>${t('runs.empty.text')}</p>${exampleBacktest(EXAMPLE_SYMBOLS[0])}`}
        </section>`
        }
        caption=${t('page.runs')}
      ></data-table>
      ${length > 1 && this.calls.length === 0 ? this.comparison(items, strategies) : nothing}
      ${sweeps.length === 0 ? nothing : html`<h2>${t('page.sweeps')}</h2>${sweepLinks(sweeps, strategies)}`}`;
  }

  /** Runs that are not kept are what the reader came for: they stand above the list. */
  private ofCalls(items: Kept['items']) {
    const strategies = this.strategies.value;
    return this.calls.length === 0 || strategies === null ? nothing : this.comparison(items, strategies);
  }

  /** Kept runs are compared below the list, whose boxes keep their places. */
  private comparison(items: Kept['items'], strategies: Strategies) {
    return html`<section aria-labelledby="compare">
      <h2 id="compare">${t('compare.title', { count: this.compared.length + this.calls.length })}</h2>
      <run-compare .keys=${this.compared} .calls=${this.calls} .items=${items} .strategies=${strategies}></run-compare>
    </section>`;
  }

  private checkbox(item: Item, strategy: string) {
    const { start_date, end_date } = item;
    const key = keyOf(item);
    const isChosen = this.compared.includes(key);
    const label = t('compare.choose', { symbol: subjectOf(item), strategy, start: start_date, end: end_date });
    return html`<input
      type="checkbox"
      aria-label=${label}
      .checked=${isChosen}
      ?disabled=${!isChosen && this.compared.length + this.calls.length >= MAX_COMPARED}
      @change=${(event: Event) => this.compare(key, targetOf(event, HTMLInputElement).checked)}
    />`;
  }

  private columns(nameOf: (strategy: string) => string): Column<Item>[] {
    const share = (key: 'total_pnl_pct' | 'excess_return_pct', title: string): Column<Item> =>
      changeColumn(key, title, (item) => item[key], tone);
    return [
      { key: 'compare', title: t('compare.column'), cell: (item) => this.checkbox(item, nameOf(item.strategy)) },
      {
        key: 'run',
        title: t('runs.run'),
        value: (item) => titleOf(item, nameOf),
        cell: (item) => runCell(item, nameOf),
      },
      { key: 'line', title: t('run.equity'), isMinor: true, cell: ({ line }) => sparkLine(line ?? []) },
      share('total_pnl_pct', t('run.total')),
      share('excess_return_pct', t('run.against_holding')),
      numberColumn(
        'drawdown',
        t('run.drawdown'),
        (run) => run.max_drawdown_pct,
        (fall) => signedPercent(-Math.abs(fall), 1),
      ),
      numberColumn('sharpe', t('run.sharpe'), ({ sharpe }) => sharpe, fixed),
      percentColumn('luck', t('runs.luck'), ({ luck }) => luck && 100 * luck),
      numberColumn('trades', t('run.trades'), ({ num_trades }) => num_trades),
      {
        key: 'verdict',
        isMinor: true,
        title: t('evidence.verification'),
        value: ({ verification }) =>
          verification && `${t(`verdict.${verification.verdict}`)} · ${day(verification.verified_at)}`,
        tone: ({ verification }) => (verification?.verdict === 'unexplained' ? 'loss' : ''),
      },
      {
        key: 'created',
        title: t('runs.created'),
        isMinor: true,
        value: ({ created_at }) => created_at,
        cell: ({ created_at }) => created_at.slice(0, 10),
      },
      {
        key: 'change',
        title: t('keys.action'),
        cell: (item) =>
          html`${rowButton(t('runs.label'), t('runs.label.one', { symbol: subjectOf(item), strategy: nameOf(item.strategy) }), () => this.label(item))}<br />
            <button class="quiet" @click=${() => this.drop(item, nameOf(item.strategy))}>${t('word.delete')}</button>`,
      },
    ];
  }
}

const tagsIn = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** The name that its owner gave it, or what it held by which strategy. */
const titleOf = (item: Item, nameOf: (strategy: string) => string) => item.name ?? ideaOf(item, nameOf);
const ideaOf = (item: Item, nameOf: (strategy: string) => string) =>
  `${subjectOf(item)} · ${item.idea ?? nameOf(item.strategy)}`;

function runCell(item: Item, nameOf: (strategy: string) => string) {
  const { name, tags, start_date, end_date } = item;
  const about = [...(name === null ? [] : [ideaOf(item, nameOf)]), `${day(start_date)} – ${day(end_date)}`].join(' · ');
  const tagLink = (tag: string) =>
    html` <a class="run-tag small" href=${`/runs?${new URLSearchParams({ q: `tag:${tag}` })}`}>${tag}</a>`;
  return html`<a href=${pageOf(item)}>${titleOf(item, nameOf)}</a>${tags.map(tagLink)}<br /><span class="muted small">${about}</span>`;
}

/** Runs in the address, as many as can be compared. */
function comparedInAddress(): string[] {
  const keys = (fromAddress('compare') ?? '').split(',').filter(isKey);
  return [...new Set(keys)].slice(0, MAX_COMPARED);
}
