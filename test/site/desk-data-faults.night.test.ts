import { afterAll, describe } from '@jest/globals';
import { keysOf } from '../../engine/util/values.ts';
import { describeFaults } from '../support/desk.ts';
import { endMarkets, FILE_FAULTS, VENDOR_FAULTS, withFiles, withVendor } from '../support/desk-data-faults.ts';

afterAll(endMarkets);

describe('of files', () => describeFaults(FILE_FAULTS, keysOf(FILE_FAULTS), withFiles));
describe('of a vendor', () => describeFaults(VENDOR_FAULTS, keysOf(VENDOR_FAULTS), withVendor));
