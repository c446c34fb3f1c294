import { deadline } from './support/deadlines.ts';

/** The tests of `npm run test:full` and `npm run test:night`. */
const LONG = '\\.(full|night)\\.test\\.ts$';

export default {
  rootDir: '..',
  // The rest, above all the packages and the data of local runs, is not searched for files.
  roots: ['api', 'db', 'engine', 'jobs', 'migrations', 'ops', 'storage', 'test'].map((folder) => `<rootDir>/${folder}`),
  testEnvironment: '<rootDir>/test/environment.mjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', LONG],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/strip.mjs' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: deadline(60_000),
  maxWorkers: 2,
  // A process keeps the modules of every file that it ran.
  workerIdleMemoryLimit: '600MB',
};
