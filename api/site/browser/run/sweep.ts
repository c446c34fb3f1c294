/** Sweeps as their form has them. `valuesText` and `valuesIn` are inverse to each other. */
import type { ReadSweep } from '../types.ts';
import { DEFAULT_STRATEGY, literal, type Rules, type RunBody } from './specification.ts';

export interface SweepRun extends Pick<RunBody, 'strategy' | 'rules'> {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Values that are tried, by parameter. */
  readonly grid?: Readonly<Record<string, unknown>>;
}

export interface SweepBody extends Omit<RunBody, 'strategy' | 'rules' | 'params' | 'save'> {
  readonly universe: object | string;
  readonly skip_unknown?: boolean;
  readonly runs: readonly SweepRun[];
}

/** The call that made a sweep. */
export function callOf({ request }: Pick<ReadSweep, 'request'>): SweepBody | null {
  if (request === null) return null;
  const runs = request.runs.map(({ strategy = DEFAULT_STRATEGY, rules, ...values }) => ({
    strategy,
    ...(rules !== undefined && 'entry' in rules ? { rules } : {}),
    ...values,
  }));
  return { ...request, runs };
}

/** A run of the form: its values as one text. */
export interface RunFields {
  readonly strategy: string;
  readonly values: string;
  readonly rules?: Rules;
}

type Values = Pick<SweepRun, 'params' | 'grid'>;

/** `fast_period=5,10 mult=1.5..3/0.5 band=true`: lists and steps are tried, a single value is fixed. */
export function valuesText({ params = {}, grid = {} }: Values): string {
  const fixed = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  const tried = Object.entries(grid).map(([name, axis]) => `${name}=${axisText(axis)}`);
  return [...fixed, ...tried].join(' ');
}

function axisText(axis: unknown): string {
  if (typeof axis !== 'object' || axis === null || !('from' in axis && 'to' in axis && 'step' in axis))
    return String(axis);
  return `${axis.from}..${axis.to}/${axis.step}`;
}

/** Null: the text has another form. */
export function valuesIn(text: string): Values | null {
  const params: Record<string, number | boolean | string> = {};
  const grid: Record<string, object> = {};
  for (const part of text.split(/\s+/).filter((word) => word !== '')) {
    const [, name, values] = /^(\w+)=(.+)$/.exec(part) ?? [];
    if (name === undefined || values === undefined) return null;
    const steps = /^(-?[\d.]+)\.\.(-?[\d.]+)\/([\d.]+)$/.exec(values);
    const list = values.split(',').map(literal);
    if (steps) grid[name] = { from: Number(steps[1]), to: Number(steps[2]), step: Number(steps[3]) };
    else if (list.length === 1) params[name] = list[0];
    else grid[name] = list;
  }
  return {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(Object.keys(grid).length === 0 ? {} : { grid }),
  };
}
