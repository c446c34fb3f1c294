import { describeFaults } from '../support/desk.ts';
import { FAULTS } from '../support/desk-faults.ts';

/** At night all. */
describeFaults(FAULTS, ['a dead worker', 'a stuck job', 'half a deploy'], async () => ({}));
