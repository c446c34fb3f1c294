import { describeDeskFaults } from '../support/desk-faults.ts';

/** At night all. */
describeDeskFaults(['a dead worker', 'a stuck job', 'half a deploy']);
