/**
 * The interface compared with its last release: what clients of that release rely on must stay, unless the version says otherwise.
 * `RELEASE_INTERFACE=1` records the current interface as the released one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { SERVICE_VERSION } from '../../../engine/util/service-version.ts';
import { breakingChanges, type Contract, contractOf } from '../../support/contract.ts';
import { DESCRIPTION } from '../../support/description.ts';

const RELEASED = new URL('../../snapshots/released-interface.json', import.meta.url);

const contract = contractOf(JSON.parse(DESCRIPTION));
const released: { readonly version: string; readonly contract: Contract } = JSON.parse(readFileSync(RELEASED, 'utf8'));
const partsOf = (version: string) => version.split('.').map(Number);

if (process.env.RELEASE_INTERFACE) {
  writeFileSync(RELEASED, `${JSON.stringify({ version: SERVICE_VERSION, contract }, null, 1)}\n`);
}

it('the version is higher than the released one if the interface has changed', () => {
  const isChanged = JSON.stringify(contract) !== JSON.stringify(released.contract);
  const [now, then] = [partsOf(SERVICE_VERSION), partsOf(released.version)];
  const isRisen = now[0] > then[0] || (now[0] === then[0] && now[1] > then[1]);
  expect([isChanged, isRisen]).toEqual([isChanged, isChanged]);
});

it('the package and the clients have the version of the service', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  expect(JSON.parse(read('package.json')).version).toBe(SERVICE_VERSION);
  expect(JSON.parse(read('api/clients/typescript/package.json')).version).toBe(SERVICE_VERSION);
  expect(read('api/clients/python/pyproject.toml')).toContain(`\nversion = "${SERVICE_VERSION}"\n`);
});

it('nothing that clients rely on is removed without a new major version (before 1.0: a new minor one)', () => {
  const [now, then] = [partsOf(SERVICE_VERSION), partsOf(released.version)];
  const isAllowed = now[0] > then[0] || (now[0] === 0 && now[1] > then[1]);
  expect(isAllowed ? [] : breakingChanges(released.contract, contract)).toEqual([]);
});

it('removed operations and fields, new required fields, and changed types are breaking; additions are not', () => {
  const older: Contract = {
    'GET /a': { takes: { 'query.x': 'string' }, answers: { '200.data.n': 'integer' } },
    'POST /b': { takes: { body: 'object', 'body.s': 'string' }, answers: { '200.data': 'object' } },
  };
  const withMore: Contract = {
    'GET /a': {
      takes: { 'query.x': 'string|integer', 'query.y': 'string' },
      answers: { '200.data.n': 'integer', '200.data.m': 'null' },
    },
    'POST /b': { takes: { body: 'object', 'body.s': 'string', 'body.t': 'string' }, answers: { '200.data': 'object' } },
    'GET /c': { takes: {}, answers: {} },
  };
  expect(breakingChanges(older, withMore)).toEqual([]);
  expect(breakingChanges(withMore, older)).toEqual([
    'GET /a does not take query.y',
    'GET /a does not answer 200.data.m',
    'GET /a takes no string|integer as query.x',
    'POST /b does not take body.t',
    'GET /c is gone',
  ]);
  const needy: Contract = {
    'GET /a': { takes: { 'query.x': 'string' }, answers: { '200.data.n': 'integer|null' } },
    'POST /b': { takes: { body: 'object', 'body.s': 'string!' }, answers: { '200.data': 'object' } },
  };
  expect(breakingChanges(older, needy)).toEqual([
    'GET /a answers integer|null as 200.data.n, not integer',
    'POST /b needs body.s',
  ]);
});
