/** Values around the one that was chosen for a parameter: whether a result hangs on exactly this choice. */
import type { Parameter, ParameterValue } from '../strategies/parameters.ts';

const SHARES = [0.25, 0.375, 0.5, 0.625, 0.75, 1, 1.25, 1.5, 2];
/** Below it, whole numbers are too close for shares. */
const SMALL = 12;
const STEPS = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

/** Ascending, the chosen one among them; just it where a parameter is not a number. */
export function neighboringValues(parameter: Parameter, chosen: ParameterValue): ParameterValue[] {
  if (typeof chosen !== 'number' || !('min' in parameter)) return [chosen];
  const { kind, min, max, except } = parameter;
  const isWhole = kind === 'integer';
  const around =
    isWhole && chosen < SMALL
      ? STEPS.map((step) => chosen + step)
      : SHARES.map((share) => (isWhole ? Math.round(chosen * share) : Number((chosen * share).toPrecision(4))));
  const allowed = around.filter((value) => value >= min && value <= max && value !== except);
  return [...new Set([...allowed, chosen])].sort((a, b) => a - b);
}
