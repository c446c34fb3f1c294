/** Known answers of target weights. */
import { expect } from '@jest/globals';
import { type Figures, readKnownAnswers } from './known-answers.ts';
import type { TargetBody } from './real-targets.ts';

interface Answer {
  readonly metrics: Figures;
  readonly notes: readonly string[];
  readonly exhausted: string | null;
  readonly sessions: number;
  /** Session, money, drawdown, benchmark, curve of the returns. Absent, like the next three, of what is compared. */
  readonly equity?: readonly [string, number, number, number, number][];
  readonly positions?: readonly [string, number, number | null][];
  readonly contributions?: readonly Figures[];
  readonly skill?: Omit<Figures, 'ex_ante' | 'shown'> & { readonly ex_ante: Figures | null; readonly shown: boolean };
  readonly flows: { readonly count: number; readonly some: readonly [string, number, number][] };
  readonly reweighted: { readonly count: number; readonly first: readonly string[]; readonly last: readonly string[] };
  readonly trades: { readonly count: number; readonly first: readonly Figures[]; readonly last: readonly Figures[] };
}

export type TargetCase = Answer & { readonly name: string; readonly body: TargetBody };

interface Compared {
  readonly compare: {
    readonly body: Omit<TargetBody, 'allocation'> & {
      readonly compare: readonly { readonly name: string; readonly allocation: TargetBody['allocation'] }[];
    };
    readonly runs: readonly (Answer & { readonly name: string })[];
  };
}

export function readTargetAnswers() {
  return readKnownAnswers<TargetCase, Compared>('targets.json');
}

/** The compared portfolios, as cases of their own. */
export function comparedCases({ compare: { body, runs } }: Compared): TargetCase[] {
  const { compare, ...common } = body;
  return compare.map(({ name, allocation }, i) => {
    expect(runs[i].name).toBe(name);
    return { ...runs[i], name: `compared: ${name}`, body: { ...common, allocation } };
  });
}
