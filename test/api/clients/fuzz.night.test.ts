/** The running service under what schemathesis makes of its description: guests, other plans, and all boundaries of every field. */
import { describeFuzz, LONG, SHORT } from '../../support/schemathesis.ts';

describeFuzz([
  ['guest', SHORT, async () => []],
  ['free', SHORT, async (service) => [`X-API-Key: ${await service.addKey('free')}`]],
  ['pro', SHORT, async (service) => [`X-API-Key: ${await service.addKey('pro')}`]],
  ['admin', LONG, async (service) => [`Authorization: Bearer ${await service.addAdmin()}`]],
]);
