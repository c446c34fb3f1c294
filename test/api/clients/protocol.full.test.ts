/** The suite of the protocol's authors, whole, on the way in which calls reach the library and its answers return. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import express from 'express';
import { createContext } from '../../../api/access/request-context.ts';
import { assertKnownHost, serve } from '../../../api/mcp/serve.ts';
import { REVISION, requiredScenarios, runSuite } from '../../support/protocol-suite.ts';
import { createFixtureServer } from './protocol-fixtures.ts';

let server: Server;
let handler: McpHttpHandler;

beforeAll(async () => {
  handler = createMcpHandler(() => createFixtureServer(handler));
  const app = express();
  app.use(express.json());
  app.post('/mcp', async (request, response) => {
    try {
      assertKnownHost(request, { own: 'localhost', sites: [] });
    } catch {
      response.status(403).end();
      return;
    }
    request.context = createContext(request, 'en', 'en');
    await serve(request, response, handler);
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await handler.close();
  server.closeAllConnections();
  server.close();
});

it('passes in every scenario that the revision requires', async () => {
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`;
  const told = await runSuite(url, '--requirements', REVISION);
  const passed = [...told.matchAll(/^✓ ([\w-]+): [1-9]\d* passed, 0 failed/gm)].map(([, name]) => name);
  const required = requiredScenarios();
  expect(required.length).toBeGreaterThan(30);
  expect(required.filter((name) => !passed.includes(name))).toEqual([]);
});
