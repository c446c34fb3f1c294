/** The tests of `npm run test:full`: every case, every fault, oracles, clients, and what needs the packages of the judges. */
import config from './jest.config.mjs';

const WORKERS = 3;
// Measured for as many files at a time as the quick set runs.
process.env.TEST_DEADLINE_FACTOR = String((Number(process.env.TEST_DEADLINE_FACTOR) * WORKERS) / config.maxWorkers);

export default {
  ...config,
  // Two of them compute; beside them is room for one that waits (support/places.ts).
  maxWorkers: WORKERS,
  testMatch: ['<rootDir>/test/**/*.full.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
