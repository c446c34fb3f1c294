/** The commands of DEPLOY.md, and what its machines need that it does not set up. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { required } from '../../engine/util/values.ts';
import type { Machine } from './machines.ts';

const PAGE = readFileSync(new URL('../../ops/docs/DEPLOY.md', import.meta.url), 'utf8');
const S3_SERVER = fileURLToPath(new URL('s3-server.ts', import.meta.url));

export const sectionOf = (heading: string): string =>
  required(PAGE.split(`## ${heading}\n`)[1]?.split('\n## ')[0], heading);

/** The commands, by their first line, which names the machines on which they are run. */
const commands = new Map(
  [...sectionOf('Machines, step by step').matchAll(/```sh\n# (.+)\n([\s\S]*?)```/g)].map(([, where, text]) => [
    where,
    text,
  ]),
);
export const places = (): string[] => [...commands.keys()];
export const commandsOf = (where: string): string => required(commands.get(where), where);

/** Starts a bucket on an address of the machine; resolves with the variables that name it. */
export async function startBucket(machine: Machine, address: string): Promise<Record<string, string>> {
  const printed = await machine.run(`
    node --input-type=module -e "
      import { S3Server } from '${S3_SERVER}';
      const server = await S3Server.start('us-east-1', '${address}');
      server.pageSize = 1000;
      console.log(JSON.stringify(server.settings));" > /var/lib/bucket.log 2>&1 &
    until grep endpoint /var/lib/bucket.log; do sleep 0.1; done`);
  const bucket = JSON.parse(printed);
  return {
    S3_BUCKET: bucket.bucket,
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
}
