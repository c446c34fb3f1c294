/** The checks of the doctor: those of every installation, and those for the configuration of this machine. */
import { NO_COUNTRIES, packagedCountries } from '../../api/access/countries.ts';
import { migrationStatus } from '../../db/migrate.ts';
import { ping } from '../../db/pool.ts';
import { selectQueueVersion } from '../../db/queue/queues.ts';
import { type Check, MIGRATIONS_CHECK, type Problem } from '../../jobs/health/check.ts';
import { HEALTH_CHECKS } from '../../jobs/health/checks.ts';
import type { Installation } from '../../jobs/health/installation.ts';
import { DATABASE, SCHEMA } from '../../jobs/health/process-checks.ts';
import { openProvider } from '../../jobs/providers/providers.ts';
import { sqlProblem } from '../../jobs/sql/run-query.ts';
import type { Config } from '../config.ts';
import { runningInstance } from '../embedded/database.ts';
import { describeOtherMarket } from '../processes/database-check.ts';
import { adminSessions, providerSettings } from '../settings.ts';

/** The installation, with the configuration of this machine. */
export interface Patient extends Installation {
  readonly config: Config;
  readonly url: string;
}

const only = (text: string): readonly Problem[] => [{ text }];
const NOTHING: readonly Problem[] = [];

const PARTS: readonly Check<Patient>[] = [
  {
    name: 'the service runs',
    runbook: 'api-down',
    appliesTo: ({ config }) => config.DATABASE_URL === undefined,
    command: () => 'npm start',
    findProblems: async ({ config }) =>
      runningInstance(config)
        ? NOTHING
        : only(`no service runs on ${config.DATA_DIR}; its database was started for this check`),
  },
  {
    name: 'database answers',
    runbook: 'database',
    findProblems: async ({ pool }) => {
      await ping(pool);
      return NOTHING;
    },
  },
  {
    name: MIGRATIONS_CHECK,
    runbook: 'database',
    reads: DATABASE,
    command: () => 'npm run ops -- db migrate',
    findProblems: async ({ url, processes }) => {
      const { pending } = await migrationStatus(url);
      if (pending.length === 0) return NOTHING;
      const isRunning = Object.values(await processes()).some((count) => count > 0);
      const older = isRunning ? ' (the running service may be of an earlier version that does not need them)' : '';
      return only(`pending: ${pending.join(', ')}${older}`);
    },
  },
  {
    name: 'queue is installed',
    runbook: 'database',
    reads: SCHEMA,
    findProblems: async ({ pool }) => {
      await selectQueueVersion(pool);
      return NOTHING;
    },
  },
  {
    name: 'provider answers',
    runbook: 'loads',
    reads: SCHEMA,
    findProblems: async ({ config, pool, now }) => {
      const provider = await openProvider(providerSettings(config), now);
      const other = await describeOtherMarket(config, pool);
      if (other !== null) return only(other);
      const published = await provider.publishedSessions('consolidated');
      await provider.check?.();
      return published
        ? NOTHING
        : only('it has no consolidated bars; check PROVIDER and the settings of this provider');
    },
  },
  {
    name: 'SQL answers',
    runbook: 'sql',
    findProblems: async () => {
      const problem = await sqlProblem();
      return problem === null ? NOTHING : only(problem);
    },
  },
  {
    name: 'an API process runs',
    runbook: 'api-down',
    reads: DATABASE,
    follows: ['the service runs', 'queue is installed'],
    command: () => 'npm run api',
    findProblems: async ({ processes }) =>
      (await processes()).api > 0 ? NOTHING : only('none is connected to the database'),
  },
];

/** `packaged`: path of the country database that is installed as a package. */
export const countriesCheck = (packaged: () => string | null): Check<Pick<Patient, 'config'>> => ({
  name: 'countries of visitors are known',
  runbook: 'countries',
  isAdvice: true,
  findProblems: async ({ config }) => ((config.COUNTRY_DATABASE ?? packaged()) === null ? only(NO_COUNTRIES) : NOTHING),
});

const ADVICE: readonly Check<Patient>[] = [
  {
    name: 'the back office asks for a password',
    runbook: 'admin-sessions',
    isAdvice: true,
    findProblems: async ({ config }) =>
      adminSessions(config) === 'password'
        ? NOTHING
        : only('anyone who reads the mail of an administrator can open it; set ADMIN_SESSIONS=password'),
  },
  countriesCheck(packagedCountries),
];

export const CHECKS: readonly Check<Patient>[] = [...PARTS, ...HEALTH_CHECKS, ...ADVICE];
