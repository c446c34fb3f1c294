/** The configuration: reads and validates all environment variables, at start. */
import type { Logger } from 'pino';
import { z } from 'zod';
import { DatabaseClock } from '../db/clock.ts';
import { missingVariables } from '../jobs/providers/providers.ts';
import { VARIABLES } from './variables.ts';

const SCHEMA = z.object(VARIABLES).superRefine((env, context) => {
  const complain = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  for (const name of missingVariables(env.PROVIDER, env))
    complain(name, `is required when PROVIDER is ${env.PROVIDER}`);
  if (env.NODE_ENV === 'production' && env.FIXED_NOW) complain('FIXED_NOW', 'must not be set in production');
  if (env.NODE_ENV === 'production' && !env.JWT_SECRET) complain('JWT_SECRET', 'is required in production');
  if (env.METRICS_PORT !== undefined && env.METRICS_PORT === env.PORT) complain('METRICS_PORT', 'must not be PORT');
  if (Boolean(env.S3_ACCESS_KEY_ID) !== Boolean(env.S3_SECRET_ACCESS_KEY)) {
    complain('S3_SECRET_ACCESS_KEY', 'and S3_ACCESS_KEY_ID must be set together');
  }
});

export type Config = Readonly<z.infer<typeof SCHEMA>>;
export const CONFIG_VARIABLES = Object.keys(SCHEMA.shape);

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads and validates the variables; an empty one counts as not set. Throws a `ConfigError` that lists each invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const variables = Object.fromEntries(CONFIG_VARIABLES.filter((name) => env[name]).map((name) => [name, env[name]]));
  const parsed = SCHEMA.safeParse(variables, {
    error: (issue) => (issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : undefined),
  });
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${issue.message}`);
  throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`);
}

/** The clock of the service: the database's, or FIXED_NOW. */
export function clockOf({ FIXED_NOW }: Pick<Config, 'FIXED_NOW'>, log: Pick<Logger, 'warn'>): DatabaseClock {
  return new DatabaseClock(FIXED_NOW === undefined ? null : Date.parse(FIXED_NOW), log);
}
