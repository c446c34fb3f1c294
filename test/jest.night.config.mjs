/** The tests that take very long, of `npm run test:night`. */
import config from './jest.config.mjs';

export default {
  ...config,
  testMatch: ['<rootDir>/test/**/*.night.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
