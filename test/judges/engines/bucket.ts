/** A bucket on this machine, in an S3 server that was not written here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPythonEnvironment, type Variables } from '../../support/python-environment.ts';
import { freePort } from './service.ts';

const REQUIREMENTS = fileURLToPath(new URL('moto.txt', import.meta.url));
const NAME = 'market-data';
const POLL_MS = 200;
const MAX_WAIT_MS = 60_000;

export interface Bucket {
  /** Settings of the service. */
  readonly settings: Variables;
  /** Variables of programs that read the bucket. */
  readonly variables: Variables;
}

/** Runs `work` while the server answers. Throws a `PythonUnavailable` where it cannot be installed. */
export async function withBucket<T>(
  progress: (line: string) => void,
  work: (bucket: Bucket) => Promise<T>,
): Promise<T> {
  const { python } = await openPythonEnvironment(REQUIREMENTS, { progress });
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  try {
    await makeBucket(endpoint);
    const [id, secret] = ['engines', 'engines-secret'];
    return await work({
      settings: { S3_BUCKET: NAME, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret },
      variables: {
        MARKET_DATA_BUCKET: NAME,
        AWS_ENDPOINT_URL: endpoint,
        AWS_ACCESS_KEY_ID: id,
        AWS_SECRET_ACCESS_KEY: secret,
      },
    });
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function makeBucket(endpoint: string): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  while (performance.now() < until) {
    const answer = await fetch(`${endpoint}/${NAME}`, { method: 'PUT' }).catch(() => null);
    if (answer?.ok) return;
    await setTimeout(POLL_MS);
  }
  throw new Error(`the S3 server does not answer at ${endpoint}`);
}
