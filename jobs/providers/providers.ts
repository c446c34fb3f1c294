/** The providers of market data: a file and a line each. */
import { keysOf } from '../../engine/util/values.ts';
import { DATABENTO } from './databento/entry.ts';
import { EODHD } from './eodhd.ts';
import { FILES } from './files/entry.ts';
import { MASSIVE } from './massive/entry.ts';
import type { Provider } from './provider.ts';
import type { ProviderLabel, ProviderPlace, Variables } from './provider-entry.ts';
import { SAMPLE } from './sample/entry.ts';
import { TIINGO } from './tiingo.ts';

export const PROVIDERS = {
  sample: SAMPLE,
  files: FILES,
  databento: DATABENTO,
  massive: MASSIVE,
  tiingo: TIINGO,
  eodhd: EODHD,
} as const;

export type ProviderId = keyof typeof PROVIDERS;
export const PROVIDER_IDS: readonly ProviderId[] = keysOf(PROVIDERS);

type Shapes = { readonly [K in ProviderId]: (typeof PROVIDERS)[K]['settings']['variables'] }[ProviderId];
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The variables of all providers. */
export const PROVIDER_VARIABLES: AllOf<Shapes> = Object.assign(
  {},
  ...PROVIDER_IDS.map((id) => PROVIDERS[id].settings.variables),
);
export type ProviderVariables = Variables<AllOf<Shapes>>;

export interface ProviderSettings extends Pick<ProviderPlace, 'cacheDir'> {
  readonly provider: ProviderId;
  readonly variables: ProviderVariables;
}

/** The variables that a provider lacks. */
export function missingVariables(id: ProviderId, variables: ProviderVariables): string[] {
  const values: Readonly<Record<string, unknown>> = variables;
  return PROVIDERS[id].settings.required.filter((name) => !values[name]);
}

/** Opens the provider that the settings name. Only its code is imported. */
export async function openProvider(
  { provider, variables, cacheDir }: ProviderSettings,
  now: () => number,
): Promise<Provider> {
  const missing = missingVariables(provider, variables);
  if (missing.length > 0) throw new Error(`the provider ${provider} needs ${missing.join(', ')}`);
  return PROVIDERS[provider].open(variables, { now, cacheDir });
}

/** The description of a provider's data, in the languages of the service. */
export function labelOf(provider: Pick<Provider, 'id'>): ProviderLabel {
  const id = PROVIDER_IDS.find((known) => known === provider.id);
  if (!id) throw new Error(`there is no provider ${provider.id}`);
  return PROVIDERS[id].label;
}
