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

/** A run of the form: the values to try of each parameter as a text. */
export interface RunFields {
  readonly strategy: string;
  readonly values: ValueTexts;
  readonly rules?: Rules;
}

/** By parameter: `10`, `5, 10, 20`, or `50..200/50`; empty: the default. */
export type ValueTexts = Readonly<Record<string, string>>;

type Values = Pick<SweepRun, 'params' | 'grid'>;

/** Inverse to `valuesIn`. */
export function valueTexts({ params = {}, grid = {} }: Values): ValueTexts {
  const fixed = Object.entries(params).map(([name, value]) => [name, String(value)]);
  const tried = Object.entries(grid).map(([name, axis]) => [name, axisText(axis)]);
  return Object.fromEntries([...fixed, ...tried]);
}

function axisText(axis: unknown): string {
  if (Array.isArray(axis)) return axis.join(', ');
  if (typeof axis !== 'object' || axis === null || !('from' in axis && 'to' in axis && 'step' in axis))
    return String(axis);
  return `${axis.from}..${axis.to}/${axis.step}`;
}

const STEPS = /^(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)\s*\/\s*([\d.]+)$/;

/** Lists and steps are tried, a single value is fixed. */
export function valuesIn(texts: ValueTexts): Values {
  const params: Record<string, number | boolean | string> = {};
  const grid: Record<string, object> = {};
  for (const [name, text] of Object.entries(texts).filter(([, text]) => text.trim() !== '')) {
    const steps = STEPS.exec(text.trim());
    const list = text.split(/[,，、]/).map((value) => literal(value.trim()));
    if (steps) grid[name] = { from: Number(steps[1]), to: Number(steps[2]), step: Number(steps[3]) };
    else if (list.length === 1) params[name] = list[0];
    else grid[name] = list;
  }
  return {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(Object.keys(grid).length === 0 ? {} : { grid }),
  };
}

/** Whether a text names numbers as `valuesIn` reads them. */
export function areNumbers(text: string): boolean {
  if (text.trim() === '' || STEPS.test(text.trim())) return true;
  return text.split(/[,，、]/).every((value) => value.trim() !== '' && Number.isFinite(Number(value)));
}
