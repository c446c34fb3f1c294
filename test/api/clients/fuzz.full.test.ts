/** The running service under what schemathesis makes of its description, as who may call everything. */
import { describeFuzz, SHORT } from '../../support/schemathesis.ts';

describeFuzz([['admin', SHORT, async (service) => [`Authorization: Bearer ${await service.addAdmin()}`]]]);
