/** The library of an account, with kept runs and sweeps in one list: named, found by words, sorted by any figure, compared, and deleted. */
import '../shell.ts';
import '../tool.ts';
import { customElement, state } from 'lit/decorators.js';
import { followAddress, fromAddress, toAddress } from '../address.ts';
import { path } from '../api.ts';
import { fieldsOf, html, nothing, SiteElement, targetOf, textIn } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import { askFields } from '../elements/ask-fields.ts';
import { MAX_COMPARED } from '../elements/compare-chart.ts';
import { type Column, rowButton } from '../elements/data-table.ts';
import { isKey, keyOf } from '../elements/run-compare.ts';
import { EXAMPLE_SYMBOLS, exampleBacktest } from '../examples.ts';
import { pageHead } from '../head.ts';
import { Attempt, Load } from '../load.ts';
import { locale } from '../page-locale.ts';
import { callsInAddress } from '../run/compared.ts';
import {
  isKept,
  isMeasured,
  type KeptItem,
  type Library,
  type LibraryItem,
  readLibrary,
  ruleOf,
  subjectOf,
} from '../run/library.ts';
import { libraryColumns } from '../run/library-columns.ts';
import { get, patch, remove, signedInAs } from '../session.ts';
import { accountNeeded, LOADING, type Loaded, settle, whenLoaded } from '../states.ts';
import { t } from '../tool-text.ts';
import type { BacktestExample, Strategies } from '../types.ts';

const SHOWN = 100;
/** Columns of what only an account does. */
const OWN = ['compare', 'verdict', 'created', 'change'];

interface Kept extends Library {
  readonly strategies: Strategies;
}

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
    const read = async () => {
      const [library, strategies] = await Promise.all([
        readLibrary(q ?? '', SHOWN, get),
        get<Strategies>('/api/backtest/strategies'),
      ]);
      return { ...library, strategies };
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

  private async drop(item: LibraryItem, strategies: Strategies): Promise<void> {
    const question = isKept(item)
      ? {
          title: t('runs.delete.title'),
          text: t('runs.delete.sure', { symbol: subjectOf(item), strategy: ruleOf(item, strategies) }),
        }
      : { title: t('sweeps.remove.title'), text: t('sweeps.remove.sure') };
    if (!(await ask({ ...question, action: t('word.delete') }))) return;
    const address = isKept(item)
      ? path(`/api/${item.kind}/{id}`, { id: item.id })
      : path('/v1/sweeps/{id}', { id: item.id });
    if (await this.changing.make(() => remove(address))) await this.load();
  }

  private async label(item: KeptItem): Promise<void> {
    const { kind, id, name, tags } = item;
    const isDone = await askFields({
      title: t('runs.labels'),
      action: t('word.save'),
      fields: [
        { name: 'name', label: t('word.name'), value: name ?? '' },
        { name: 'tags', label: t('runs.tags'), value: tags.join(', ') },
      ],
      work: (form) =>
        patch(path(kind === 'outcomes' ? '/v1/outcomes/{id}' : `/v1/${kind}s/{id}`, { id }), {
          name: textIn(form, 'name') || null,
          tags: tagsIn(textIn(form, 'tags')),
        }),
    });
    if (isDone) await this.load();
  }

  override render() {
    if (signedInAs() === null)
      return html`${pageHead(t('page.runs'))}${this.ofCalls([])}${accountNeeded(this.load)}${this.example.value ? this.shownExample(this.example.value) : nothing}`;
    return html`${pageHead(t('page.runs'))}${this.ofCalls(this.runs.state === 'loaded' ? this.runs.value.items.filter(isMeasured) : [])}
      <form class="row controls one-line" @submit=${this.filter}>
        <label class="field wide"><span>${t('runs.filter')}</span><input name="q" maxlength="120" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder=${t('runs.filter.example')} .value=${fromAddress('q') ?? ''} /></label>
        <button>${t('runs.show')}</button>
      </form>
      ${this.changing.failure()} ${whenLoaded(this.runs, this.load, (runs) => this.list(runs))}`;
  }

  private shownExample({ row, strategies }: NonNullable<typeof this.example.value>) {
    const columns = this.columns(strategies).filter(({ key }) => !OWN.includes(key));
    return html`<h2>${t('runs.example')}</h2>
      <data-table class="dense wrapped" .columns=${columns} .rows=${[row]} caption=${t('runs.example')}></data-table>`;
  }

  private list({ total, items, strategies }: Kept) {
    const { length } = this.compared;
    const kept = items.filter(isMeasured);
    return html`${kept.length > 1 && length < 2 ? html`<p class="muted">${t('compare.how', { most: MAX_COMPARED })}</p>` : nothing}
      ${total > 0 ? html`<p class="muted">${t('runs.of', { shown: items.length, total })}</p>` : nothing}
      <data-table
        class="dense wrapped"
        .columns=${this.columns(strategies)}
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
      <p class="muted small">${t('runs.searches')} <a href="/optimize">${t('page.optimize')}</a></p>
      ${length > 1 && this.calls.length === 0 ? this.comparison(kept, strategies) : nothing}`;
  }

  /** Runs that are not kept are what the reader came for: they stand above the list. */
  private ofCalls(items: readonly KeptItem[]) {
    const strategies = this.strategies.value;
    return this.calls.length === 0 || strategies === null ? nothing : this.comparison(items, strategies);
  }

  /** Kept runs are compared below the list, whose boxes keep their places. */
  private comparison(items: readonly KeptItem[], strategies: Strategies) {
    return html`<section aria-labelledby="compare">
      <h2 id="compare">${t('compare.title', { count: this.compared.length + this.calls.length })}</h2>
      <run-compare .keys=${this.compared} .calls=${this.calls} .items=${items} .strategies=${strategies}></run-compare>
    </section>`;
  }

  private checkbox(item: KeptItem, strategy: string) {
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

  private columns(known: Strategies): Column<LibraryItem>[] {
    const nameOf = (item: KeptItem) => ruleOf(item, known);
    return [
      {
        key: 'compare',
        title: t('compare.column'),
        cell: (item) => (isMeasured(item) ? this.checkbox(item, nameOf(item)) : nothing),
      },
      ...libraryColumns(known),
      {
        key: 'change',
        title: t('keys.action'),
        cell: (item) =>
          html`${isKept(item) ? html`${rowButton(t('runs.label'), t('runs.label.one', { symbol: subjectOf(item), strategy: nameOf(item) }), () => this.label(item))}<br />` : nothing}
            <button class="quiet" @click=${() => this.drop(item, known)}>${t('word.delete')}</button>`,
      },
    ];
  }
}

const tagsIn = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Runs in the address, as many as can be compared. */
function comparedInAddress(): string[] {
  const keys = (fromAddress('compare') ?? '').split(',').filter(isKey);
  return [...new Set(keys)].slice(0, MAX_COMPARED);
}
