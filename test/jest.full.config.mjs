/** The tests of `npm run test:full`. */
import config from './jest.config.mjs';

export default {
  ...config,
  testMatch: ['<rootDir>/test/**/*.full.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
