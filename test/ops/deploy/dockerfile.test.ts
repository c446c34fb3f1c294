/** The Dockerfile; `image.night.test.ts` builds and runs the image. */
import { expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { readDockerfile } from '../../support/dockerfile.ts';

const dockerfile = readDockerfile();
const lastOf = (name: string) => required(dockerfile.findLast((one) => one.name === name)).text;

it('has the Node version of this project, in all stages', () => {
  const bases = dockerfile.filter(({ name }) => name === 'FROM').map(({ words }) => words[0]);
  expect(new Set(bases)).toEqual(new Set([`node:${process.versions.node}-slim`]));
});

it('runs as an unprivileged user who may write only to the data folder, and stops on SIGTERM', () => {
  expect(lastOf('USER')).toBe('node');
  expect(lastOf('STOPSIGNAL')).toBe('SIGTERM');
  expect(lastOf('VOLUME')).toBe('/data');
  // Without a shell, which would keep the signal to itself.
  expect(JSON.parse(lastOf('CMD'))).toEqual(['node', 'ops/processes/api.ts']);
  expect(lastOf('RUN')).toBe('mkdir /data && chown node:node /data');
});
