import { keysOf } from '../../engine/util/values.ts';
import { describeFaults } from '../support/desk.ts';
import { FAULTS } from '../support/desk-faults.ts';

describeFaults(FAULTS, keysOf(FAULTS), async () => ({ WEBHOOK_NETWORKS: '127.0.0.0/8' }));
