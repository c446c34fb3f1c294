import { describeDeskFaults, FAULT_NAMES } from '../support/desk-faults.ts';

describeDeskFaults(FAULT_NAMES);
