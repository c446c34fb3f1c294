/** The base of forms that run one strategy over a range: backtest, search, and portfolio. */
import type { PropertyDeclarations } from 'lit';
import { SiteElement } from '../element.ts';
import type { Strategies, Strategy } from '../types.ts';
import { CUSTOM, type Faults } from './run-fields.ts';

const USUAL_RANGE = '5Y';

/** The initial values that all of the forms have. */
interface Beginning {
  readonly strategy?: string;
  readonly time_range?: string;
  readonly start?: string;
}

export abstract class StrategyForm extends SiteElement {
  static override properties: PropertyDeclarations = {
    strategies: { attribute: false },
    faults: { attribute: false },
    isBusy: { attribute: false },
    strategy: { state: true },
    range: { state: true },
  };
  declare strategies: Strategies;
  /** Faults by field. */
  declare faults: Faults;
  declare isBusy: boolean;
  /** Code of the chosen strategy. */
  declare strategy: string;
  declare range: string;

  constructor() {
    super();
    this.faults = {};
    this.isBusy = false;
  }

  protected get chosen(): Strategy {
    return this.known(this.strategy) ?? this.strategies.strategies[0];
  }

  protected begin({ strategy, time_range, start }: Beginning): void {
    this.strategy = this.known(strategy)?.code ?? this.strategies.defaults.strategy;
    this.range = start ? CUSTOM : (time_range ?? USUAL_RANGE);
  }

  private known(wanted: string | undefined): Strategy | undefined {
    return this.strategies.strategies.find(({ code }) => code === wanted);
  }
}
