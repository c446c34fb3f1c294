/** A database that cannot be used at the start: what operators read. */
import { expect, it } from '@jest/globals';
import { toStartupError } from '../../ops/startup-error.ts';

const CONFIG = { DATABASE_URL: 'postgresql://market_app:secret@db.example.com:6432/market' };
const say = (error: object) => toStartupError(Object.assign(new Error(), error), CONFIG)?.message;
/** An answer of a server or a pooler. */
const refused = (message: string, code = '08P01') => say({ severity: 'FATAL', code, message });

it.each([
  ['unsupported startup parameter: options', 'refuses an option of DATABASE_URL or PGOPTIONS'],
  ['query_wait_timeout', 'without a free connection. Raise its default_pool_size'],
  ['no more connections allowed (max_client_conn)', 'Raise its max_client_conn'],
  ['server login has been failing, try again later (server_login_retry)', 'cannot reach its server'],
])('a pooler that says "%s" is named as one', (message, sentence) => {
  expect(refused(message)).toMatch(/^The database at db.example.com:6432 is a pooler /);
  expect(refused(message)).toContain(sentence);
});

it('a server that answers is not said to be silent', () => {
  expect(refused('the database system is starting up', '57P03')).toBe(
    'The database at db.example.com:6432 refuses connections: the database system is starting up.',
  );
  expect(refused('password authentication failed', '28P01')).toContain('refuses the password of DATABASE_URL');
  expect(refused('column "query_wait_timeout" does not exist', '42703')).toBeUndefined();
});

it('silence is', () => {
  expect(say({ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' })).toBe(
    'The database at db.example.com:6432 does not answer (ECONNREFUSED). Start it, or check DATABASE_URL.',
  );
});
