/** The strategy and the range that a form has chosen: of a backtest, of a portfolio, and of a search. */
import { html, nothing, type ReactiveControllerHost } from 'lit';
import { OWN_RULES, parameterNames, type RunBody, rulesIn } from '../run/specification.ts';
import { readRules } from './rule-editor.ts';
import { type RunForm, rangeButtons, rangeOf, readRun, strategyField } from './run-fields.ts';
import {
  type ParameterValues,
  readParameters,
  type Strategy,
  strategyFields,
  strategyOfRules,
} from './strategy-fields.ts';

export class StrategyChoice {
  /** Code of the strategy. */
  code = '';
  private range = '';
  /** Names of the parameters in own rules. */
  private names: readonly string[] = [];
  private readonly form: RunForm & ReactiveControllerHost;

  constructor(form: RunForm & ReactiveControllerHost) {
    this.form = form;
  }

  /** Sets the initial choice. */
  begin(): void {
    const { settings, strategies } = this.form;
    const { strategy } = settings;
    const code = strategy === OWN_RULES ? OWN_RULES : this.known(strategy)?.code;
    this.code = code ?? strategies.defaults.strategy;
    this.range = rangeOf(settings);
    // Those of another strategy are not those of rules that are written instead of it.
    this.names = code === OWN_RULES ? parameterNames(settings) : [];
  }

  get strategy(): Strategy {
    if (this.code === OWN_RULES) return strategyOfRules(this.names);
    return this.known(this.code) ?? this.form.strategies.strategies[0];
  }

  private known(wanted: string | undefined): Strategy | undefined {
    return this.form.strategies.strategies.find(({ code }) => code === wanted);
  }

  choose(code: string): void {
    this.code = code;
    this.form.requestUpdate();
  }

  strategyField(onSwitch: (event: Event) => void) {
    return strategyField(this.form, this.code, onSwitch);
  }

  rangeField() {
    return rangeButtons(this.form, this.range, (range) => {
      this.range = range;
      this.form.requestUpdate();
    });
  }

  /** The fields of own rules, where these are chosen. `hasPeers`: whether they may compare instruments. */
  rules(hasPeers = false) {
    if (this.code !== OWN_RULES) return nothing;
    const named = ({ detail }: CustomEvent<readonly string[]>) => {
      this.names = detail;
      this.form.requestUpdate();
    };
    return html`<rule-fields .rules=${rulesIn(this.form.settings)} .hasPeers=${hasPeers} .names=${this.names} @parameters=${named}></rule-fields>`;
  }

  /** The parameters that are wanted, each with the value that is given or its first one. */
  parameters(given: ParameterValues, isWanted: (name: string) => boolean) {
    return strategyFields(this.strategy, given, (name) => this.form.fields.error(name), isWanted);
  }

  /** The fields of `fields`, as the API takes them. */
  readRun(form: HTMLFormElement): RunBody {
    return readRun(form, this.code, this.range);
  }

  /** Rules and parameters, as the API takes them. `varied`: parameters without a single value. */
  readStrategy(form: FormData, varied: readonly string[] = []): Pick<RunBody, 'rules' | 'params'> {
    const params = readParameters(this.strategy, form, varied);
    return {
      ...(this.code === OWN_RULES ? { rules: readRules(form) } : {}),
      ...(Object.keys(params).length === 0 ? {} : { params }),
    };
  }
}
