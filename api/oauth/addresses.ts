/** Where clients of OAuth find what: the addresses, and the two documents that name them. */
import { SCOPES } from '../../db/accounts/api-keys.ts';

export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;
/** The page on which an owner decides. */
export const CONSENT_PAGE = '/connect';
/** Calls of that page. */
export const REQUESTS_PATH = '/api/account/grant-requests';
/** Scopes that the tools of assistants need, except those that change what the account keeps. */
export const USUAL_SCOPES = 'read research';
const RESOURCE_PATH = '/mcp';
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

export const issuerOf = (publicApiBase: string) => new URL(publicApiBase).origin;
/** The only resource that tokens are for. */
export const resourceOf = (publicApiBase: string) => `${issuerOf(publicApiBase)}${RESOURCE_PATH}`;

/** RFC 9728. */
export function resourceMetadata(publicApiBase: string) {
  return {
    resource: resourceOf(publicApiBase),
    authorization_servers: [issuerOf(publicApiBase)],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
  };
}

/** RFC 8414. */
export function serverMetadata(publicApiBase: string) {
  const issuer = issuerOf(publicApiBase);
  return {
    issuer,
    authorization_endpoint: `${issuer}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${issuer}${OAUTH_PATHS.token}`,
    registration_endpoint: `${issuer}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${issuer}${OAUTH_PATHS.revoke}`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
