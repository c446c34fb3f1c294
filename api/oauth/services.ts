/** Services that the routes of grants use. */
import type Provider from 'oidc-provider';
import type { Pool } from '../../db/pool.ts';
import { routesWith } from '../call/route.ts';
import type { ProviderOptions } from './provider.ts';

/** Loads the authorization server on the first call: few processes need it. */
export type LoadProvider = () => Promise<Provider>;

export function openOAuth(options: ProviderOptions): LoadProvider {
  let provider: Promise<Provider> | undefined;
  return () => {
    provider ??= import('./provider.ts').then(({ createProvider }) => createProvider(options));
    return provider;
  };
}

export interface Services {
  readonly pool: Pool;
  readonly now: () => number;
  readonly oauth: LoadProvider;
}

export const defineRoute = routesWith<Services>();
