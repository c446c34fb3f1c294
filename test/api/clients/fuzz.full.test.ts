/** The running service under what schemathesis makes of its description: as a guest, and as who may call everything. */
import { describeFuzz, SHORT } from '../../support/schemathesis.ts';

describeFuzz([
  ['guest', SHORT, async () => []],
  ['admin', SHORT, async (service) => [`Authorization: Bearer ${await service.addAdmin()}`]],
]);
