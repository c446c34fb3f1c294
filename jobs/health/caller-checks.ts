/** The checks of those outside: accounts that call too often, and receivers that do not answer. */
import { selectRefusedAccounts } from '../../db/log/access-records.ts';
import { selectFailingWebhooks } from '../../db/webhooks/webhooks.ts';
import { type HealthCheck, SCHEMA } from './process-checks.ts';

const REFUSED_WITHIN_MS = 5 * 60_000;

export const CALLER_CHECKS = [
  {
    kind: 'account_refused',
    name: 'no account calls far beyond its limits',
    runbook: 'limits',
    /** Calls of an account that may be refused within five minutes. */
    threshold: 1_000,
    isAdvice: true,
    reads: SCHEMA,
    findProblems: async ({ pool, now }, most) => {
      const accounts = await selectRefusedAccounts(pool, new Date(now() - REFUSED_WITHIN_MS), most);
      return accounts.map(({ email, calls }) => ({
        text: `${calls} calls of ${email} were refused within five minutes`,
        count: calls,
        detail: email,
      }));
    },
  },
  {
    kind: 'webhook_failing',
    name: 'receivers of webhooks answer',
    runbook: 'webhooks',
    /** Attempts in a row that may fail at one receiver. */
    threshold: 2,
    isAdvice: true,
    reads: SCHEMA,
    follows: ['a worker runs', 'no queue is paused'],
    findProblems: async ({ pool }, most) => {
      const failing = await selectFailingWebhooks(pool, most);
      return failing.map(({ host, attempts, deliveries }) => ({
        text: `${host}: ${deliveries} deliveries wait after ${attempts} attempts`,
        count: deliveries,
        detail: host,
      }));
    },
  },
] as const satisfies readonly HealthCheck[];
