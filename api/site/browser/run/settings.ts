/** A backtest in the address of its page, so that a link runs it again. */
import type { BacktestBody } from './call.ts';

/** Values of the form by the names of its fields. */
export type Settings = Readonly<Record<string, string>>;

const COSTS = ['commission_rate', 'min_commission', 'slippage_bps'] as const;
const PLAIN = ['symbol', 'strategy', 'time_range', 'start', 'end', 'execute_on', 'adjust'] as const;

/** The query of an address, from a call. */
export function queryOf(body: BacktestBody): string {
  const query = new URLSearchParams();
  for (const name of PLAIN) if (body[name]) query.set(name, body[name]);
  for (const name of COSTS) if (body.cost?.[name]) query.set(name, String(body.cost[name]));
  for (const [name, value] of Object.entries(body.params ?? {})) query.set(`p.${name}`, String(value));
  return query.toString();
}

/** The values that an address names. */
export function settingsInAddress(): Settings {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Values of parameters, by their own names. */
export function parametersIn(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => name.startsWith('p.'))
      .map(([name, value]) => [name.slice(2), value]),
  );
}

/** `10` → 10, `true` → true, `band` → `band`. */
export function literal(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
