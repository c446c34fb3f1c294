/** The tests of `npm run test:full`: every case, every fault, oracles, clients, and what needs the packages of the judges. */
import config from './jest.config.mjs';

export default {
  ...config,
  testMatch: ['<rootDir>/test/**/*.full.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
