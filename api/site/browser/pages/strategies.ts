/** Own strategies: written, tried at once, saved, and watched. */
import '../shell.ts';
import '../tool.ts';
import '../elements/run-report.ts';
import '../elements/strategy-editor.ts';
import { customElement, state } from 'lit/decorators.js';
import { followAddress, fromAddress } from '../address.ts';
import { ApiError, path } from '../api.ts';
import { fieldsOf, html, nothing, SiteElement, textIn } from '../dom.ts';
import { ask } from '../elements/ask.ts';
import type { DraftDetail } from '../elements/strategy-editor.ts';
import { membersOf, universeInAddress, universeWords } from '../elements/universe-chip.ts';
import { EXAMPLE_SYMBOLS } from '../examples.ts';
import { pageHead } from '../head.ts';
import { Attempt } from '../load.ts';
import { shareNotice, watchNotice } from '../notices.ts';
import { BACKTEST, type BacktestBody } from '../run/backtest.ts';
import { runJob } from '../run/call.ts';
import { Latest } from '../run/latest.ts';
import { get, post, put, remove, signedInAs, signIn } from '../session.ts';
import { failure, LOADING, type Loaded, settle } from '../states.ts';
import { symbolsIn } from '../text.ts';
import { t } from '../tool-text.ts';
import type { BacktestResult, OwnStrategies, OwnStrategy, SharedStrategy, Sharing, Watch } from '../types.ts';

const MINE = '/v1/my/strategies';
const ONE = '/v1/my/strategies/{id}';

type EditedStrategy = Pick<OwnStrategy, 'id' | 'name' | 'rules' | 'parameters'>;

/** Example rules, described by their texts. */
const EXAMPLES = [
  {
    text: 'strategies.example.breakout',
    rules: { entry: 'close > highest(55) and volume > 2 * sma_of(volume, 50)', exit: 'close < lowest(20)' },
  },
  {
    text: 'strategies.example.pullback',
    rules: { entry: 'rsi(2) < 10 and close > sma(200)', exit: 'close > sma(5)' },
  },
  {
    text: 'strategies.example.trend',
    rules: { entry: 'crosses_above(sma(20), sma(50))', exit: 'sma(20) < sma(50)', trail: 'peak - 3 * atr(22)' },
  },
] as const;

interface Trial {
  readonly result: BacktestResult;
  readonly body: BacktestBody;
}

@customElement('strategies-page')
export class StrategiesPage extends SiteElement {
  @state() mine: Loaded<OwnStrategies> = LOADING;
  @state() edited: EditedStrategy = { id: 0, name: '', rules: { entry: '' }, parameters: {} };
  private readonly trial = new Latest<Trial>(this);
  private tried: BacktestBody | null = null;
  /** Saves, deletes, watches, or shares. */
  private readonly changing = new Attempt(this);
  @state() symbol: string = fromAddress('symbol') ?? EXAMPLE_SYMBOLS[0] ?? '';
  /** The newest watch of the strategy. */
  @state() watch: Watch | null = null;
  @state() sharing: Sharing | null = null;
  /** The shared strategy that the address names. */
  @state() shared: Loaded<SharedStrategy> | null = null;

  constructor() {
    super();
    followAddress(this, this.load);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private readonly load = async (): Promise<void> => {
    await Promise.all([this.loadShared(), this.loadMine()]);
  };

  private async loadShared(): Promise<void> {
    const slug = fromAddress('shared');
    if (slug === null) return;
    this.shared = await settle(get<SharedStrategy>(path('/v1/strategies/shared/{slug}', { slug })));
    if (this.shared.state !== 'loaded') return;
    const { name, rules, parameters } = this.shared.value;
    this.begin({ id: 0, name, rules, parameters });
  }

  private async loadMine(): Promise<void> {
    if (signedInAs() === null) return;
    this.mine = await settle(get<OwnStrategies>(MINE, { query: { size: 100 } }));
    const id = Number(fromAddress('id'));
    const named = this.mine.state === 'loaded' ? this.mine.value.items.find((one) => one.id === id) : undefined;
    if (named !== undefined) this.begin(named);
  }

  private begin(edited: EditedStrategy): void {
    this.edited = edited;
    this.trial.clear();
    this.watch = null;
    this.sharing = null;
    this.changing.clear();
  }

  private readonly onTry = ({ detail: { body } }: CustomEvent<DraftDetail>) => this.run(body);

  /** A trial is not kept. */
  private run(body: BacktestBody): Promise<void> {
    this.symbol = body.symbol;
    this.tried = body;
    return this.trial.follow(async (signal) => ({
      body,
      result: await runJob<BacktestResult>(BACKTEST.api.run, { ...body, save: false }, signal),
    }));
  }

  private readonly onSave = async ({ detail: { draft, body } }: CustomEvent<DraftDetail>) => {
    this.symbol = body.symbol;
    if (signedInAs() === null && !(await signIn())) return;
    const { id } = this.edited;
    const isKept = await this.changing.make(async () => {
      this.edited = await (id === 0 ? post<OwnStrategy>(MINE, draft) : put<OwnStrategy>(path(ONE, { id }), draft));
    });
    if (!isKept) return;
    history.replaceState(null, '', hrefOf(this.edited.id));
    this.mine = await settle(get<OwnStrategies>(MINE, { query: { size: 100 } }));
  };

  private readonly drop = async () => {
    const { id, name } = this.edited;
    const text = t('strategies.delete.sure', { name });
    if (!(await ask({ text, title: t('strategies.delete'), action: t('word.delete') }))) return;
    if (await this.changing.make(() => remove(path(ONE, { id })))) location.assign('/strategies');
  };

  private readonly submitWatch = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = fieldsOf(event);
    const where = textIn(form, 'where');
    const screen = { where, ...membersOf(universeInAddress()) };
    const watched = where === '' ? { symbols: symbolsIn(textIn(form, 'symbols')) } : { screen };
    const { id, name } = this.edited;
    const body = { name, strategy: 'rules', rules: { saved: id }, ...watched, mail: form.get('mail') !== null };
    await this.changing.make(async () => {
      this.watch = await post<Watch>('/v1/my/watches', body);
    });
  };

  private readonly share = (isShared: boolean) => () =>
    this.changing.make(async () => {
      this.sharing = await post<Sharing>(path(`${ONE}/share`, { id: this.edited.id }), { shared: isShared });
    });

  override render() {
    return html`${pageHead(t('page.strategies'))}
      ${this.linkNotice()}
      <p class="muted">${t('strategies.intro')} <a href="/rules">${t('page.rules')}</a></p>
      ${this.examples()} ${this.list()}
      <strategy-editor
        .strategy=${this.edited}
        .symbol=${this.symbol}
        .isBusy=${this.trial.isBusy}
        @try=${this.onTry}
        @save=${this.onSave}
      ></strategy-editor>
      ${this.changing.failure()} ${this.edited.id === 0 ? nothing : this.watchForm()}
      <section aria-live="polite" aria-busy=${this.trial.isBusy}>${this.report()}</section>`;
  }

  /** Says what the link has opened: a shared strategy, or a screen to watch. */
  private linkNotice() {
    const { shared } = this;
    if (shared?.state === 'failed') {
      const isGone = shared.error instanceof ApiError && [404, 422].includes(shared.error.status);
      if (!isGone) return failure(shared.error, this.load);
      return html`<p class="notice warning" role="alert"><b>${t('shared.gone')}</b> ${t('shared.gone.text')}</p>`;
    }
    if (shared?.state === 'loaded' && this.edited.id === 0) {
      return html`<p class="notice" role="status">${t('strategies.shared', { name: shared.value.name })}</p>`;
    }
    const where = fromAddress('where');
    if (where === null || this.edited.id !== 0) return nothing;
    return html`<p class="notice" role="status">${t('strategies.screen_chosen')} <code>${where}</code> ${universeNote()}</p>`;
  }

  private examples() {
    return html`<ul class="examples presets">
      ${EXAMPLES.map(
        ({ text, rules }) => html`<li>
          <button type="button" class="quiet" @click=${() => this.begin({ id: 0, name: '', rules, parameters: {} })}>${t(text)}</button>
          <p><code>${rules.entry}</code></p>
        </li>`,
      )}
    </ul>`;
  }

  private list() {
    const { mine } = this;
    if (signedInAs() === null || mine.state === 'loading') return nothing;
    if (mine.state === 'failed') return failure(mine.error, this.load);
    if (mine.value.total === 0) return nothing;
    return html`<nav class="row" aria-label=${t('strategies.mine')}>
      <b>${t('strategies.mine')}</b>
      ${mine.value.items.map(
        ({ id, name }) =>
          html`<a class="clipped" title=${name} href=${hrefOf(id)} aria-current=${id === this.edited.id ? 'true' : nothing}>${name}</a>`,
      )}
      <a href="/strategies">${t('strategies.new')}</a>
    </nav>`;
  }

  private watchForm() {
    const { name } = this.edited;
    if (this.watch !== null) return watchNotice(this.watch);
    return html`<section class="notice" aria-label=${t('strategies.watch')}>
      <p role="status">${t('strategies.kept', { name })}</p>
      <form class="row one-line" @submit=${this.submitWatch}>
        <label class="field wide"><span>${t('strategies.symbols')}</span><input name="symbols" autocomplete="off" .value=${this.symbol} /></label>
        <label class="field wide"><span>${t('strategies.where')}</span><input name="where" autocomplete="off" maxlength="1000" .value=${fromAddress('where') ?? ''} />${universeNote()}</label>
        <label class="field check"><input type="checkbox" name="mail" /><span>${t('signals.mail')}</span></label>
        <button class="primary">${t('strategies.watch')}</button>
      </form>
      <p class="row">
        <button type="button" @click=${this.share(true)}>${t('run.share')}</button>
        <button type="button" @click=${this.drop}>${t('strategies.delete')}</button>
      </p>
      ${shareNotice(this.sharing, this.share(false))}
    </section>`;
  }

  private report() {
    const { trial } = this;
    if (trial.isBusy) return html`<p class="state muted">${t('form.running')}</p>`;
    if (trial.error !== null) return failure(trial.error, () => this.tried && this.run(this.tried));
    if (trial.shown === null) return nothing;
    const { result, body } = trial.shown;
    return html`<p><a href=${`${BACKTEST.page}?${BACKTEST.queryOf(body)}`}>${t('strategies.as_backtest')}</a></p>
      <run-report .result=${result} .body=${body} .keptId=${null} .isOwn=${true}></run-report>`;
  }
}

/** The instruments that a screen of the address is about; nothing for stocks and ETFs. */
function universeNote() {
  const universe = universeWords(universeInAddress());
  return universe === '' ? nothing : html`<span class="hint">${t('universe.of', { universe })}</span>`;
}

/** The address of an own strategy; a screen that is to be watched stays in it. */
function hrefOf(id: number): string {
  const address = new URLSearchParams(location.search);
  address.set('id', String(id));
  address.delete('shared');
  return `/strategies?${address}`;
}
