/** The authorization server of assistants (OAuth 2.1), by its library: clients without secrets, codes with PKCE, tokens for one resource. */
import { generateKeyPairSync } from 'node:crypto';
import { type ClientMetadata, type Configuration, errors, Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import { SCOPES } from '../../db/accounts/api-keys.ts';
import type { Queryable } from '../../db/pool.ts';
import { REQUEST_COOKIE } from '../access/web-client.ts';
import { CONSENT_PAGE, issuerOf, OAUTH_PATHS, REQUESTS_PATH, resourceOf } from './addresses.ts';
import { fetchDocument, type Reach } from './fetch-document.ts';
import { recordsOf } from './records.ts';

export interface ProviderOptions extends Reach {
  readonly pool: Queryable;
  readonly now: () => number;
  readonly log: Logger;
  readonly publicApiBase: string;
}

const MINUTE_S = 60;
const DAY_S = 86_400;
const ACCESS_TOKEN_S = 15 * MINUTE_S;
const LIFETIMES = {
  AccessToken: ACCESS_TOKEN_S,
  AuthorizationCode: MINUTE_S,
  Interaction: 10 * MINUTE_S,
  RefreshToken: 30 * DAY_S,
  Session: 10 * MINUTE_S,
};
const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const off = { enabled: false } as const;

export function createProvider(options: ProviderOptions): Provider {
  const { log, publicApiBase } = options;
  const provider = new Provider(issuerOf(publicApiBase), configurationOf(options));
  // Behind a proxy that ends https, cookies are Secure too.
  provider.proxy = true;
  provider.silent = true;
  // Neither parameters nor tokens are logged.
  provider.on('server_error', (context, error) => log.error({ err: error, path: context.path }, 'OAuth failed'));
  return provider;
}

function configurationOf(options: ProviderOptions): Configuration {
  const { pool, now, publicApiBase } = options;
  const resource = resourceOf(publicApiBase);
  return {
    adapter: (model) => recordsOf({ db: pool, now, resource }, model),
    jwks: { keys: [unusedKey()] },
    routes: {
      authorization: OAUTH_PATHS.authorize,
      token: OAUTH_PATHS.token,
      registration: OAUTH_PATHS.register,
      revocation: OAUTH_PATHS.revoke,
    },
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    // Loopback addresses with any port are for programs on the machine of the owner.
    clientDefaults: {
      application_type: 'native',
      grant_types: GRANT_TYPES,
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: { properties: ['redirects'], validator: checkClient },
    pkce: { required: () => true },
    ttl: LIFETIMES,
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    findAccount: async (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: {
      url: ({ cookies }, { uid }) => {
        cookies.set(REQUEST_COOKIE, uid, { path: REQUESTS_PATH, httpOnly: true, sameSite: 'strict', overwrite: true });
        return `${CONSENT_PAGE}?request=${uid}`;
      },
    },
    renderError: (context, { error }) => context.redirect(`${CONSENT_PAGE}?error=${error}`),
    fetch: (address) => fetchDocument(new URL(String(address)), options),
    features: featuresOf(resource),
  };
}

function featuresOf(resource: string): Configuration['features'] {
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
    revocation: { enabled: true },
    registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, indicated) => {
        if (indicated !== resource) throw new errors.InvalidTarget();
        return {
          scope: SCOPES.join(' '),
          audience: resource,
          accessTokenTTL: ACCESS_TOKEN_S,
          accessTokenFormat: 'opaque',
        };
      },
    },
  };
}

/** The library wants a key for tokens of identity, which nobody gets. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' };
}

/** Codes must not travel over plain http, except within a machine. */
function checkClient(...[, , , client]: readonly [unknown, string, unknown, ClientMetadata]): void {
  // The library would refuse grants and scopes that it does not know; RFC 7591 lets them be left out. Each request names its scopes.
  delete client.scope;
  client.grant_types = client.grant_types?.filter((type) => GRANT_TYPES.includes(type));
  const isUnsafe = (address: string) => /^http:\/\/(?!(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/i.test(address);
  if (client.redirect_uris?.some(isUnsafe)) {
    throw new errors.InvalidClientMetadata('redirect_uris must use https, or be of this machine');
  }
}
