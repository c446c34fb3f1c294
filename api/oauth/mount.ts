/** `/oauth`: what clients of assistants call, and the documents by which they find it. Owners decide at the site. */
import type { Express, Request, Response } from 'express';
import { SCOPES } from '../../db/accounts/api-keys.ts';
import { callerAddress } from '../access/caller.ts';
import type { Limiter, LimitRule } from '../access/rate-limit.ts';
import type { Observe } from '../access/request-context.ts';
import { sendJson } from '../http/answer/respond.ts';
import { OAUTH_PATHS, RESOURCE_METADATA_PATH, resourceMetadata, serverMetadata } from './addresses.ts';
import type { LoadProvider } from './services.ts';

interface Services {
  readonly oauth: LoadProvider;
  readonly limiter: Limiter;
  readonly publicRule: LimitRule;
  readonly publicApiBase: string;
}

const DOCUMENTS = {
  [RESOURCE_METADATA_PATH]: resourceMetadata,
  '/.well-known/oauth-protected-resource': resourceMetadata,
  '/.well-known/oauth-authorization-server': serverMetadata,
};

export function mountOAuth(app: Express, services: Services, observe: Observe): void {
  const { publicApiBase, limiter, publicRule } = services;
  for (const [path, documentOf] of Object.entries(DOCUMENTS)) {
    const json = JSON.stringify(documentOf(publicApiBase));
    app.get(path, (request, response) => {
      request.context.headers['Access-Control-Allow-Origin'] = '*';
      sendJson(request, response, 200, json);
    });
  }
  const answer = async (request: Request, response: Response, path: string) => {
    const { context } = request;
    context.route = path;
    const subject = callerAddress(context.ip);
    await limiter.enforce({ counter: `ip:${subject}` }, publicRule, context);
    if (path === OAUTH_PATHS.token) await limiter.pass([{ guard: 'oauth_tokens', subject }], context);
    const isStranger = path === OAUTH_PATHS.register || /[?&]client_id=https/i.test(request.url);
    if (isStranger) await limiter.pass([{ guard: 'oauth_clients', subject }], context);
    const provider = await services.oauth();
    response.set(context.headers);
    response.once('finish', () => observe(request, response.statusCode));
    await provider.callback()(request, response);
  };
  app.get(OAUTH_PATHS.authorize, (request, response) => {
    // A client that asks for nothing asks for everything: the owner decides.
    const query = new URLSearchParams(request.url.split('?')[1]);
    if (!query.get('scope')) {
      query.set('scope', SCOPES.join(' '));
      request.url = `${OAUTH_PATHS.authorize}?${query}`;
    }
    return answer(request, response, OAUTH_PATHS.authorize);
  });
  app.get(`${OAUTH_PATHS.authorize}/:uid`, (request, response) => answer(request, response, OAUTH_PATHS.authorize));
  for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.register, OAUTH_PATHS.revoke]) {
    app.post(path, (request, response) => answer(request, response, path));
  }
}
