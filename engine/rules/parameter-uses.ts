/** The parameters that rules name, and the values that their uses allow. */

import { type RuleProblem, ruleProblem, type Span } from './problems.ts';
import { type Expression, isParameter } from './syntax.ts';

/** Parameters of one strategy, over all its rules. */
const MAX_PARAMETERS = 8;
export const MAX_PARAMETER_NAME = 32;
/** Bounds of a parameter that is used as a value. */
export const MAX_PARAMETER_VALUE = 1e15;

export interface ParameterUse {
  readonly kind: 'integer' | 'number';
  readonly min: number;
  readonly max: number;
  /** Where it is named first. */
  readonly at: Span;
}

type Range = Omit<ParameterUse, 'at'>;

export class ParameterUses {
  private readonly uses = new Map<string, ParameterUse>();
  private readonly pairs: (readonly [smaller: string, larger: string])[] = [];
  private readonly reserved: readonly string[];

  /** `reserved`: names that mean something else in `params`. */
  constructor(reserved: readonly string[]) {
    this.reserved = reserved;
  }

  get all(): ReadonlyMap<string, ParameterUse> {
    return this.uses;
  }

  /** Pairs of parameters of which the first must have the smaller value. */
  get ordered(): readonly (readonly [smaller: string, larger: string])[] {
    return this.pairs;
  }

  add(name: string, at: Span, range: Range): RuleProblem | null {
    if (name.length > MAX_PARAMETER_NAME || this.reserved.includes(name)) {
      return ruleProblem('rule_parameter_name', at, { name: `$${name}`, max: MAX_PARAMETER_NAME });
    }
    const known = this.uses.get(name);
    if (known === undefined && this.uses.size >= MAX_PARAMETERS) {
      return ruleProblem('rule_too_many_parameters', at, { max: MAX_PARAMETERS });
    }
    const use = known === undefined ? { ...range, at } : narrowed(known, range);
    this.uses.set(name, use);
    return use.min > use.max ? ruleProblem('rule_parameter_range', at, { name: `$${name}` }) : null;
  }

  /** Records that one argument must be smaller than the other, at least one of which is a parameter. */
  order(smaller: Expression, larger: Expression, at: Span): RuleProblem | null {
    if (isParameter(smaller) && isParameter(larger)) {
      this.pairs.push([smaller[1], larger[1]]);
      return null;
    }
    const anything = { kind: 'integer', min: -MAX_PARAMETER_VALUE, max: MAX_PARAMETER_VALUE } as const;
    if (isParameter(smaller) && typeof larger === 'number') {
      return this.add(smaller[1], at, { ...anything, max: larger - 1 });
    }
    if (isParameter(larger) && typeof smaller === 'number') {
      return this.add(larger[1], at, { ...anything, min: smaller + 1 });
    }
    return null;
  }
}

function narrowed(known: ParameterUse, { kind, min, max }: Range): ParameterUse {
  return {
    kind: known.kind === 'integer' ? 'integer' : kind,
    min: Math.max(known.min, min),
    max: Math.min(known.max, max),
    at: known.at,
  };
}

/** Records a use. `range` null: the parameter is used as a value. */
export function addUse(uses: ParameterUses | null, name: string, at: Span, range: Range | null): RuleProblem | null {
  if (uses === null) return ruleProblem('rule_parameter_missing', at, { name: `$${name}` });
  return uses.add(name, at, range ?? { kind: 'number', min: -MAX_PARAMETER_VALUE, max: MAX_PARAMETER_VALUE });
}
