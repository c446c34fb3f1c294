/** An assistant that an owner lets in: registration, consent, tokens, tools, and the end of the grant. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import supertest, { type Response } from 'supertest';
import { deleteExpiredOAuthRecords } from '../../../db/accounts/assistant-grants.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addPerson, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type HttpsServer, openHttpsServer } from '../../support/https-server.ts';

/** Clients send tokens over plain http to this machine alone. */
const HOST = 'market.localhost';
const ORIGIN = `http://${HOST}`;
const REDIRECT = 'http://127.0.0.1:4000/callback';
const RESOURCE = `${ORIGIN}/mcp`;
const WEB = { host: HOST, origin: ORIGIN, 'x-client-kind': 'web' };
const TOKEN = /^[\w-]{43}$/;

let database: TestDatabase;
let api: TestApi;
let owner: Person;
/** The site of clients that are known by their metadata documents. */
let pages: HttpsServer;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await openTestApi({
    database,
    provider: new SampleProvider({ symbols: 5, now: () => Date.now() }),
    now: () => Date.now(),
    realCallers: true,
    publicApiBase: ORIGIN,
    webhookNetworks: ['127.0.0.2/32'],
  });
  pages = await openHttpsServer('127.0.0.2', ({ url = '' }, response) => {
    const client_id = `${pages.url}${url === '/other.json' ? '/client.json' : url}`;
    const redirect = url === '/unsafe.json' ? 'http://desk.example/callback' : REDIRECT;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ client_id, client_name: 'Page assistant', redirect_uris: [redirect], scope: 'read' }),
    );
  });
  owner = await addPerson(api);
});
afterAll(async () => {
  pages.close();
  await api.close();
  await database.drop();
});

const call = (method: 'get' | 'post', path: string, headers: Record<string, string> = {}) =>
  supertest(api.app)
    [method](path)
    .set({ host: HOST, 'x-forwarded-for': newAddress(), ...headers });
const form = (path: string, fields: Record<string, string>) => call('post', path).type('form').send(fields);
const cookiesOf = ({ headers }: Response) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie: string) => cookie.split(';')[0])
    .join('; ');

async function register(redirect = REDIRECT): Promise<string> {
  const { status, body } = await call('post', '/oauth/register').send({
    client_name: 'Desk assistant',
    redirect_uris: [redirect],
    token_endpoint_auth_method: 'none',
    // As the protocol's own client registers.
    scope: 'read research',
  });
  expect([status, body.client_secret]).toEqual([201, undefined]);
  return body.client_id;
}

interface Asked {
  readonly clientId: string;
  readonly verifier: string;
  readonly requestId: string;
  readonly cookies: string;
}

const authorizeQuery = (clientId: string, verifier: string) => ({
  client_id: clientId,
  response_type: 'code',
  redirect_uri: REDIRECT,
  scope: 'read research offline_access',
  state: 'state-of-the-client',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  resource: RESOURCE,
});

/** Opens the address that the client opens in the browser of the owner. */
async function ask(change: Record<string, string> = {}): Promise<Asked & { readonly response: Response }> {
  const clientId = change.client_id ?? (await register());
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({ ...authorizeQuery(clientId, verifier), ...change });
  const response = await call('get', `/oauth/authorize?${query}`);
  const location = new URL(response.headers.location ?? '/', ORIGIN);
  return {
    clientId,
    verifier,
    response,
    requestId: location.searchParams.get('request') ?? '',
    cookies: cookiesOf(response),
  };
}

const decide = ({ requestId, cookies }: Pick<Asked, 'requestId' | 'cookies'>, body: object, person = owner) =>
  api.post(`/api/account/grant-requests/${requestId}`, body, { ...WEB, ...person.console, cookie: cookies });

/** The address of the client to which the browser of the owner returns. */
async function answered(asked: Pick<Asked, 'requestId' | 'cookies'>, body: object, person = owner): Promise<URL> {
  const decided = await decide(asked, body, person);
  expect([decided.status, decided.text]).toEqual([200, expect.any(String)]);
  const returned = await call('get', decided.body.data.location, { cookie: asked.cookies });
  return new URL(returned.headers.location);
}

const exchange = ({ clientId, verifier }: Asked, code: string, change: Record<string, string> = {}) =>
  form('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    resource: RESOURCE,
    code,
    ...change,
  });

async function connected(body: object = { allowed: true, trial_limit: 7 }, person = owner) {
  const asked = await ask();
  const code = (await answered(asked, body, person)).searchParams.get('code') ?? '';
  const { status, body: tokens } = await exchange(asked, code);
  expect(status).toBe(200);
  return { asked, code, tokens };
}

/** Calls the tools. Clients of the newest revision get JSON, older ones a stream. */
const send = (method: string, params: object, headers: Record<string, string>) =>
  call('post', '/mcp', { accept: 'application/json, text/event-stream', ...headers }).send({
    jsonrpc: '2.0',
    id: 1,
    method,
    params,
  });
const useTool = (token: string, name: string, input: object = {}) =>
  send('tools/call', { name, arguments: input }, { authorization: `Bearer ${token}` });
const grants = async () => (await api.get('/api/account/grants', owner.console)).body.data.items;

describe('discovery', () => {
  it('leads from a refused call to the endpoints', async () => {
    const refused = await useTool('a'.repeat(43), 'find');
    const [, address] = /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate']) ?? [];
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ]);
    const resource = await call('get', new URL(address).pathname);
    expect(resource.body).toMatchObject({ resource: RESOURCE, authorization_servers: [ORIGIN] });
    const { body: server } = await call('get', '/.well-known/oauth-authorization-server');
    expect(server).toMatchObject({
      issuer: ORIGIN,
      token_endpoint: `${ORIGIN}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    });
    const other = await api.get('/v1/static/AAPL.US', { authorization: `Bearer ${'a'.repeat(43)}` });
    expect(other.headers['www-authenticate']).toBe('Bearer realm="market data", error="invalid_token"');
  });
});

describe('a call without a token', () => {
  const NEWEST = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const newest = (name: string) => ({ 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': name });
  const run = (kind: string) => ({ name: 'run', arguments: { kind, spec: { symbol: 'AAPL', grid: { period: [5] } } } });
  const CHALLENGE = `Bearer realm="market data", scope="read research", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`;

  it('may list the tools, and use those that are open to everyone', async () => {
    expect((await send('tools/list', {}, {})).status).toBe(200);
    expect((await send('tools/call', { name: 'find', arguments: { in: 'strategies' } }, {})).status).toBe(200);
  });

  it.each([
    ['what an account keeps', { name: 'find', arguments: { in: 'runs' } }],
    ['screens', { name: 'data', arguments: { screen: {} } }],
    ['work that guests may not do', run('optimize')],
  ])('is answered by a challenge where it wants %s', async (_, params) => {
    const answers = [
      await send('tools/call', params, {}),
      await send('tools/call', { ...params, _meta: meta }, newest(params.name)),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, headers['www-authenticate'], body.key]).toEqual([401, CHALLENGE, 'error.grant_required']);
    }
  });
});

describe('a grant', () => {
  it('shows the request, lets the assistant in with what was granted, and counts its trials and last use', async () => {
    const asked = await ask();
    const { body: shown } = await api.get(`/api/account/grant-requests/${asked.requestId}`, owner.console);
    expect(shown.data).toEqual({
      client_id: asked.clientId,
      name: 'Desk assistant',
      redirect_host: '127.0.0.1:4000',
      scopes: ['read', 'research'],
      trial_limit: 1000,
    });
    const back = await answered(asked, { allowed: true, scopes: ['read'], trial_limit: 7 });
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(TOKEN),
      state: 'state-of-the-client',
      iss: ORIGIN,
    });
    const { body: tokens } = await exchange(asked, back.searchParams.get('code') ?? '');
    expect(tokens).toEqual({
      access_token: expect.stringMatching(TOKEN),
      refresh_token: expect.stringMatching(TOKEN),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'read',
    });
    const { text } = await useTool(tokens.access_token, 'find', { in: 'fields', query: 'close' });
    const { result } = JSON.parse(/^(?:data: )?(\{.*)$/m.exec(text)?.[1] ?? '{}');
    expect(result.structuredContent.trial_budget).toEqual({ limit: 7, used: 0, left: 7 });
    await api.services.accessLog.caughtUp();
    const [listed] = await grants();
    expect(listed).toMatchObject({ client_id: asked.clientId, scopes: ['read'], trial_limit: 7, trials: 0 });
    expect(Date.now() - Date.parse(listed.last_used_at)).toBeLessThan(60_000);
  });

  it('is for the tools alone, and no secret is stored', async () => {
    const { tokens } = await connected();
    for (const [header, value] of [
      ['authorization', `Bearer ${tokens.access_token}`],
      ['x-api-key', tokens.access_token],
    ]) {
      const { status, body } = await api.get('/v1/symbols?q=a', { [header]: value });
      expect([status, body.key]).toEqual([401, 'error.invalid_credential']);
    }
    const { rows } = await database.pool.query('select r::text as row from oauth_records r');
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of [tokens.access_token, tokens.refresh_token]) expect(stored).not.toContain(secret);
  });

  it('needs no registration where the id of the client is the address of its metadata document', async () => {
    const asked = await ask({ client_id: `${pages.url}/client.json` });
    const { body: shown } = await api.get(`/api/account/grant-requests/${asked.requestId}`, owner.console);
    expect(shown.data).toMatchObject({ client_id: asked.clientId, name: 'Page assistant' });
    const code = (await answered(asked, { allowed: true })).searchParams.get('code') ?? '';
    const { body: tokens } = await exchange(asked, code);
    expect((await useTool(tokens.access_token, 'find')).status).toBe(200);
    for (const path of ['/other.json', '/unsafe.json']) {
      const { response } = await ask({ client_id: `${pages.url}${path}` });
      expect([path, response.headers.location]).toEqual([path, expect.stringMatching(/^\/connect\?error=invalid_/)]);
    }
  });

  it('is told which scope it lacks, so that the client can ask for it', async () => {
    const { tokens } = await connected({ allowed: true, scopes: ['read'] });
    const { status, headers, body } = await useTool(tokens.access_token, 'run', {
      kind: 'backtest',
      spec: { symbol: 'AAPL' },
    });
    expect([status, body.key, headers['www-authenticate']]).toEqual([
      403,
      'error.scope_missing',
      expect.stringMatching(/error="insufficient_scope", scope="research", resource_metadata="[^"]+"$/),
    ]);
  });

  it('is no key of the account, and does not use up its keys', async () => {
    await connected();
    const { body } = await api.get('/api/account/keys', owner.console);
    expect(body.data.items.map(({ name }: { name: string }) => name)).toEqual(['default']);
  });

  it('ends at once when its owner revokes it, and both are in the audit log', async () => {
    const { asked, tokens } = await connected();
    const [{ id }] = await grants();
    const stranger = await addPerson(api);
    expect((await api.delete(`/api/account/grants/${id}`, undefined, stranger.console)).status).toBe(404);
    expect((await useTool(tokens.access_token, 'find')).status).toBe(200);
    expect((await api.delete(`/api/account/grants/${id}`, undefined, owner.console)).status).toBe(200);
    expect((await useTool(tokens.access_token, 'find')).status).toBe(401);
    const refreshed = await form('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: asked.clientId,
      refresh_token: tokens.refresh_token,
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    const { rows } = await database.pool.query(
      `select action, actor_id, result, details ->> 'client' as client from audit_log where target_type = 'grant' and target_id = $1
       and actor_id = $2 order by id`,
      [String(id), owner.id],
    );
    expect(rows).toEqual([
      { action: 'grant.create', actor_id: owner.id, result: 'ok', client: asked.clientId },
      { action: 'grant.revoke', actor_id: owner.id, result: 'ok', client: null },
    ]);
  });

  it('rotates refresh tokens, and ends when one is used twice', async () => {
    const { asked, tokens } = await connected();
    const refresh = (token: string) =>
      form('/oauth/token', { grant_type: 'refresh_token', client_id: asked.clientId, refresh_token: token });
    const { body: next } = await refresh(tokens.refresh_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await useTool(next.access_token, 'find')).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    await api.services.knownCallers.caughtUp();
    expect((await useTool(next.access_token, 'find')).status).toBe(401);
    expect((await refresh(next.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('is deleted with the account, and when no token of it is left', async () => {
    const person = await addPerson(api);
    const { tokens } = await connected(undefined, person);
    const count = async () =>
      (await database.pool.query('select from api_keys where user_id = $1 and client_id is not null', [person.id]))
        .rowCount;
    await deleteExpiredOAuthRecords(database.pool, new Date());
    expect(await count()).toBe(1);
    await deleteExpiredOAuthRecords(database.pool, new Date(Date.now() + 31 * 86_400_000));
    expect(await count()).toBe(0);
    const again = await connected(undefined, person);
    expect((await api.delete('/api/auth/me', { email: person.email }, person.console)).status).toBe(200);
    expect((await useTool(again.tokens.access_token, 'find')).status).toBe(401);
    expect((await useTool(tokens.access_token, 'find')).status).toBe(401);
  });
});

describe('the client of the protocol', () => {
  it('asks when a tool needs an account, and again for a scope that it lacks', async () => {
    const server = createServer(api.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const asked: (string | null)[] = [];
    let [back, verifier] = [new URLSearchParams(), ''];
    let client: OAuthClientInformationMixed | undefined;
    let tokens: OAuthTokens | undefined;
    let found: OAuthDiscoveryState | undefined;
    const authProvider: OAuthClientProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'Client', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      clientInformation: () => client,
      saveClientInformation: (given) => {
        client = given;
      },
      tokens: () => tokens,
      saveTokens: (given) => {
        tokens = given;
      },
      discoveryState: () => found,
      saveDiscoveryState: (given) => {
        found = given;
      },
      codeVerifier: () => verifier,
      saveCodeVerifier: (given) => {
        verifier = given;
      },
      redirectToAuthorization: async ({ pathname, search, searchParams }) => {
        const opened = await call('get', `${pathname}${search}`);
        const requestId = opened.headers.location.split('=')[1];
        // The owner allows less at first.
        const scopes = asked.push(searchParams.get('scope')) === 1 ? ['read'] : undefined;
        const request = { requestId, cookies: cookiesOf(opened) };
        back = (await answered(request, { allowed: true, scopes })).searchParams;
      },
    };
    const use = async (name: string, input: object) => {
      const transport = new StreamableHTTPClientTransport(new URL(RESOURCE), {
        authProvider,
        fetch: (url, init) => fetch(String(url).replace(ORIGIN, `http://127.0.0.1:${port}`), init),
      });
      const assistant = new Client({ name: 'test', version: '1' });
      await assistant.connect(transport);
      try {
        return await assistant.callTool({ name, arguments: { ...input } });
      } catch (error) {
        await transport.finishAuth(back);
        throw error;
      } finally {
        await assistant.close();
      }
    };
    const [runs, backtest] = [{ in: 'runs' }, { kind: 'backtest', spec: { symbol: 'NOPE' } }];
    expect((await use('find', { in: 'strategies' })).isError ?? false).toBe(false);
    await expect(use('find', runs)).rejects.toThrow('Unauthorized');
    expect((await use('find', runs)).structuredContent).toMatchObject({ items: [] });
    await expect(use('run', backtest)).rejects.toThrow('Unauthorized');
    expect((await use('run', backtest)).structuredContent).toMatchObject({ key: 'error.symbol_not_found' });
    expect(asked).toEqual(['read research', 'read research']);
    server.closeAllConnections();
    server.close();
  });
});

it('leaves out kinds of grants that a client names and that there are not', async () => {
  const { status, body } = await call('post', '/oauth/register').send({
    redirect_uris: ['https://desk.example/callback', 'http://127.0.0.1:33418/', 'desk.app://callback'],
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_method: 'none',
  });
  expect([status, body.grant_types]).toEqual([201, ['authorization_code', 'refresh_token']]);
});

describe('refusals', () => {
  it('answers the client when the owner declines', async () => {
    const back = await answered(await ask(), { allowed: false });
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  it('asks for every scope where the client names none, and grants nothing where it names none of them', async () => {
    const { requestId } = await ask({ scope: '' });
    const { body } = await api.get(`/api/account/grant-requests/${requestId}`, owner.console);
    expect(body.data.scopes).toEqual(['read', 'research', 'account']);
    const back = await answered(await ask({ scope: 'offline_access' }), { allowed: true });
    expect(back.searchParams.get('error')).toBe('invalid_scope');
  });

  it('refuses a decision of another browser, which would grant to a stranger', async () => {
    const asked = await ask();
    const { status } = await decide({ ...asked, cookies: '' }, { allowed: true });
    expect(status).toBe(404);
  });

  it('refuses a wrong verifier, and a code without PKCE', async () => {
    const asked = await ask();
    const code = (await answered(asked, { allowed: true })).searchParams.get('code') ?? '';
    const wrong = await exchange(asked, code, { code_verifier: 'w'.repeat(43) });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant']);
    const { response } = await ask({ code_challenge: '', code_challenge_method: '' });
    expect(new URL(response.headers.location).searchParams.get('error')).toBe('invalid_request');
    const plain = await ask({ code_challenge_method: 'plain' });
    expect(new URL(plain.response.headers.location).searchParams.get('error')).toBe('invalid_request');
  });

  it('refuses a wrong redirect, and never sends the browser there', async () => {
    const { response } = await ask({ redirect_uri: 'https://evil.example/callback' });
    expect(response.headers.location).toBe('/connect?error=invalid_redirect_uri');
    const registered = await call('post', '/oauth/register').send({
      redirect_uris: ['http://evil.example/callback'],
      application_type: 'web',
      token_endpoint_auth_method: 'none',
    });
    expect([registered.status, registered.body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('gives one of two calls at once with a code its tokens', async () => {
    const asked = await ask();
    const code = (await answered(asked, { allowed: true })).searchParams.get('code') ?? '';
    const statuses = (await Promise.all([exchange(asked, code), exchange(asked, code)])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('revokes the grant when a code is replayed', async () => {
    const { asked, code, tokens } = await connected();
    expect((await useTool(tokens.access_token, 'find')).status).toBe(200);
    expect((await exchange(asked, code)).body.error).toBe('invalid_grant');
    await api.services.knownCallers.caughtUp();
    expect((await useTool(tokens.access_token, 'find')).status).toBe(401);
  });

  it('refuses another resource', async () => {
    const { response } = await ask({ resource: 'https://other.example/mcp' });
    expect(new URL(response.headers.location).searchParams.get('error')).toBe('invalid_target');
    const asked = await ask();
    const code = (await answered(asked, { allowed: true })).searchParams.get('code') ?? '';
    expect((await exchange(asked, code, { resource: `${ORIGIN}/v1` })).body.error).toBe('invalid_target');
  });

  it.each(['https://127.0.0.1/client.json', 'https://10.0.0.1/client.json', 'https://localhost/client.json'])(
    'does not fetch a metadata document at %s',
    async (client) => {
      const { response } = await ask({ client_id: client });
      expect(response.headers.location).toBe('/connect?error=invalid_client');
    },
  );

  it('limits registrations of an address', async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) {
      const { status } = await call('post', '/oauth/register', { 'x-forwarded-for': address }).send({
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
      });
      statuses.push(status);
    }
    expect([statuses.filter((status) => status === 201).length, statuses[30]]).toEqual([30, 429]);
  });
});
