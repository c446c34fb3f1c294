/** Passwords of administrators: argon2id in PHC strings. */
import crypto from 'node:crypto';
import { promisify } from 'node:util';

/** OWASP's minimum for argon2id: 19 MiB and two passes. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');

interface Stored {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

/** Used if no password is stored, so that the work is the same. No password has this tag. */
const NO_PASSWORD: Stored = {
  memory: MEMORY_KIB,
  passes: PASSES,
  parallelism: LANES,
  salt: Buffer.alloc(SALT_BYTES),
  tag: Buffer.alloc(TAG_BYTES),
};

function derive(password: string, { memory, passes, parallelism, salt, tag }: Stored): Promise<Buffer> {
  const parameters = { message: password, nonce: salt, parallelism, tagLength: tag.length, memory, passes };
  return promisify(crypto.argon2)('argon2id', parameters);
}

export async function hashPassword(password: string): Promise<string> {
  const fresh = { ...NO_PASSWORD, salt: crypto.randomBytes(SALT_BYTES) };
  const tag = await derive(password, fresh);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(fresh.salt)}$${base64(tag)}`;
}

/** Whether the password matches `phc`. The work is the same if no password is stored (null). */
export async function verifyPassword(phc: string | null, password: string): Promise<boolean> {
  const stored = phc === null ? null : parsePhc(phc);
  const tag = await derive(password, stored ?? NO_PASSWORD);
  return crypto.timingSafeEqual(tag, (stored ?? NO_PASSWORD).tag) && stored !== null;
}

function parsePhc(phc: string): Stored {
  const match = PHC.exec(phc);
  if (!match) throw new Error('a stored password hash cannot be read');
  const [, memory, passes, parallelism, salt, tag] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
