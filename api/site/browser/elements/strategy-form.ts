/** The base of forms that run one strategy over a range: backtest, search, and portfolio. */
import { html, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { SiteElement } from '../element.ts';
import { type Faults, otherFaults } from '../faults.ts';
import { OWN_RULES, parameterNames, type RunBody, rulesIn, type Settings } from '../run/specification.ts';
import type { Strategies } from '../types.ts';
import { readRules } from './rule-fields.ts';
import { CUSTOM, TOLD_FIELDS } from './run-fields.ts';
import { parametersOf, readParameters, type Strategy, strategyOfRules } from './strategy-fields.ts';

const USUAL_RANGE = '5Y';

export abstract class StrategyForm extends SiteElement {
  @property({ attribute: false }) strategies!: Strategies;
  /** Faults by field. */
  @property({ attribute: false }) faults: Faults = {};
  @property({ attribute: false }) isBusy = false;
  /** Code of the chosen strategy. */
  @state() strategy!: string;
  @state() range!: string;
  /** Names of the parameters in own rules. */
  @state() names!: readonly string[];

  /** The initial values of the form. */
  abstract readonly settings: Settings;

  protected get chosen(): Strategy {
    if (this.strategy === OWN_RULES) return strategyOfRules(this.names);
    return this.known(this.strategy) ?? this.strategies.strategies[0];
  }

  protected begin(): void {
    const { strategy, time_range, start } = this.settings;
    const code = strategy === OWN_RULES ? OWN_RULES : this.known(strategy)?.code;
    this.strategy = code ?? this.strategies.defaults.strategy;
    this.range = start ? CUSTOM : (time_range ?? USUAL_RANGE);
    this.names = parameterNames(this.settings);
  }

  /** The fields of own rules, where these are chosen. */
  protected rules() {
    if (this.strategy !== OWN_RULES) return nothing;
    const named = ({ detail }: CustomEvent<readonly string[]>) => {
      this.names = detail;
    };
    return html`<rule-fields .rules=${rulesIn(this.settings)} .names=${this.names} @parameters=${named}></rule-fields>`;
  }

  /** The strategy of the form, as the API takes it. `tried`: parameters that have no value of their own. */
  protected readStrategy(form: FormData, tried: readonly string[] = []): Pick<RunBody, 'rules' | 'params'> {
    const params = readParameters(this.chosen, form, tried);
    return {
      ...(this.strategy === OWN_RULES ? { rules: readRules(form) } : {}),
      ...(Object.keys(params).length === 0 ? {} : { params }),
    };
  }

  /** Faults of what the form has no field for, and of fields that it names beside those of all forms. */
  protected faultsBeside(...fields: readonly string[]) {
    const parameters = parametersOf(this.chosen).map(([name]) => name);
    return otherFaults(this.faults, [...TOLD_FIELDS, ...parameters, ...fields]);
  }

  private known(wanted: string | undefined): Strategy | undefined {
    return this.strategies.strategies.find(({ code }) => code === wanted);
  }
}
