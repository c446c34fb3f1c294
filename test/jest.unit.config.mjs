/** Tests that need no database and take seconds: `npm run test:unit`. Those that compare whole histories or thousands of cases take longer. */
import everything from './jest.config.mjs';

const { globalSetup: _setup, globalTeardown: _teardown, ...shared } = everything;

export default {
  ...shared,
  testMatch: [
    '<rootDir>/test/engine/**/*.test.ts',
    '!**/engine/**/{known-at,look-ahead,new-york,optimality,portfolio,portfolio-answers,rotation-answers,rules,tear-sheet,ties,walk-forward,window-sums}.test.ts',
    '<rootDir>/test/api/market/kline.test.ts',
    '<rootDir>/test/db/batcher.test.ts',
    '<rootDir>/test/jobs/*/{files-provider,parquet-file,round-robin,report}.test.ts',
    '<rootDir>/test/ops/config.test.ts',
    '<rootDir>/test/tidy/{connections,house-rules,pages}.test.ts',
  ],
};
