/** The secret of an installation, from JWT_SECRET or generated once, and a key derived from it for each purpose. */

import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../engine/util/thrown.ts';
import type { Config } from './config.ts';

export interface Secrets {
  /** Signs access tokens. */
  readonly accessTokenKey: string;
  /** Keys the hashes of login codes. */
  readonly loginCodeKey: string;
  /** Keys the hashes that stand for addresses, user agents and e-mails. */
  readonly identifierKey: string;
}

export function readSecrets(config: Config): Secrets {
  const secret = config.JWT_SECRET ?? localSecret(config.DATA_DIR);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('hex');
  return {
    accessTokenKey: secret,
    loginCodeKey: derive('login codes'),
    identifierKey: derive('identifiers'),
  };
}

/** The first process generates it; the others read it. */
function localSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
  return readFileSync(file, 'utf8');
}
