/**
 * The set-up of a backtest: few fields first, and the others in groups that say what they are now. A change runs by itself after a
 * moment, unless `isAutomatic` is false. Fires `run` with the call.
 */
import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { fieldsOf, fieldValue, find, SiteElement } from '../dom.ts';
import type { FieldErrors } from '../field-errors.ts';
import type { BacktestBody } from '../run/backtest.ts';
import { EXITS } from '../run/kind.ts';
import { costWords, exitWords, modeWords } from '../run/setting-words.ts';
import { parametersIn, type Settings } from '../run/specification.ts';
import { day, t } from '../text.ts';
import type { Strategies } from '../types.ts';
import { costFields, endField, executeField, pricesField, readSymbol, symbolField } from './run-fields.ts';
import { StrategyChoice } from './strategy-choice.ts';
import { isExit, type ParameterValues, type Strategy, strategyFields, typedParameters } from './strategy-fields.ts';

/** Milliseconds from the last change to the run. */
const PAUSE_MS = 800;

@customElement('backtest-form')
export class BacktestForm extends SiteElement {
  @property({ attribute: false }) strategies!: Strategies;
  /** The initial values of the form. */
  @property({ attribute: false }) settings!: Settings;
  /** FieldErrors by field. */
  @property({ attribute: false }) fieldErrors: FieldErrors = {};
  @property({ attribute: false }) isBusy = false;
  /** Whether changes run by themselves; otherwise a button runs them. */
  @property({ attribute: false }) isAutomatic = true;
  /** The present values of the folded groups, by the names of their fields. */
  @state() now: Readonly<Record<string, string>> = {};
  private readonly choice = new StrategyChoice(this);
  /** The values typed so far, by strategy: switching there and back loses nothing. */
  private readonly typed = new Map<string, ParameterValues>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest call, as JSON. */
  private sent = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('settings')) return;
    this.choice.begin();
    this.typed.set(this.choice.code, parametersIn(this.settings));
  }

  protected override firstUpdated(): void {
    this.readNow();
    this.sent = JSON.stringify(this.read());
  }

  private get form(): HTMLFormElement {
    return find(this, 'form', HTMLFormElement);
  }

  private readonly onSwitch = (event: Event) => {
    this.typed.set(this.choice.code, typedParameters(this.choice.strategy, new FormData(this.form)));
    this.choice.choose(fieldValue(event));
  };

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    this.send(this.read(fieldsOf(event)));
  };

  private read(form = new FormData(this.form)): BacktestBody {
    return { symbol: readSymbol(form), ...this.choice.readRun(form), ...this.choice.readStrategy(form) };
  }

  private readNow(): void {
    this.now = Object.fromEntries([...new FormData(this.form)].map(([name, value]) => [name, String(value)]));
  }

  private send(detail: BacktestBody): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sent = JSON.stringify(detail);
    this.dispatchEvent(new CustomEvent<BacktestBody>('run', { detail }));
  }

  /** Texts are complete when the reader leaves them: a ticker, and a rule. */
  private readonly onChange = ({ target, type }: Event) => {
    this.readNow();
    const isText =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
    if (isText && type === 'input') return;
    clearTimeout(this.timer);
    if (this.isAutomatic) this.timer = setTimeout(this.runChanged, PAUSE_MS);
  };

  /** Runs a change at once that waits for its moment. */
  runPending(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.runChanged();
  }

  private readonly runChanged = () => {
    this.timer = undefined;
    if (!this.isConnected || !this.form.checkValidity()) return;
    const body = this.read();
    if (body.symbol !== '' && JSON.stringify(body) !== this.sent) this.send(body);
  };

  /** Sets a parameter, and runs. */
  async choose(name: string, value: string): Promise<void> {
    find(this, `[name="p.${name}"]`, HTMLInputElement).value = value;
    this.send(this.read());
  }

  override render() {
    const { code, strategy } = this.choice;
    const given = this.typed.get(code) ?? {};
    return html`<form @submit=${this.submit} @input=${this.onChange} @change=${this.onChange} @choose=${this.onChange}>
      ${symbolField(this)} ${this.choice.strategyField(this.onSwitch)}
      <p class="muted small">${strategy.description}</p>
      ${this.choice.rules()}
      ${keyed(code, html`<div class="pair">${strategyFields(strategy, given, this.fieldErrors, (name) => !isExit(name))}</div>`)}
      ${this.choice.rangeField()} ${this.groups(strategy, given)} ${this.choice.remainingErrors()}
      ${this.isAutomatic ? html`<p class="muted small">${t('form.automatic')}</p>` : nothing}
      <button class="primary" ?hidden=${this.isAutomatic}>${this.isBusy ? t('form.running') : t('form.run')}</button>
    </form>`;
  }

  private groups(strategy: Strategy, given: ParameterValues) {
    const { now, strategies } = this;
    const group = (title: string, value: string, names: readonly string[], fields: unknown) => html`<details
      class="fold"
      ?open=${names.some((name) => this.fieldErrors[name])}
    >
      <summary><span>${title}</span><output>${value}</output></summary>
      <div class="fold-fields">${fields}</div>
    </details>`;
    const exits = strategyFields(strategy, given, this.fieldErrors, isExit);
    return html`${group(t('form.execute_on'), modeWords(now.execute_on, 'execute_on', strategies), ['execute_on'], executeField(this))}
      ${group(t('form.adjust'), modeWords(now.adjust, 'adjust', strategies), ['adjust'], pricesField(this))}
      ${group(t('form.costs'), costWords(now), ['commission_rate', 'min_commission', 'slippage_bps'], costFields(this))}
      ${keyed(strategy.code, group(t('form.exits'), exitWords(now), EXITS, exits))}
      ${group(t('form.end'), now.end ? day(now.end) : t('form.newest'), ['end'], endField(this))}`;
  }
}
