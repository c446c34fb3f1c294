/** Forms of variables of the environment. */
import { resolve } from 'node:path';
import { z } from 'zod';

export const integer = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, rule).transform(Number).pipe(z.number().min(min, rule).max(max, rule));
};

export const text = (length = 1) => z.string().min(length);

export const url = (...protocols: readonly string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  });

export const folder = text().transform((path) => resolve(path));

export const day = z.iso.date('must be a day, YYYY-MM-DD');

/** Values separated by commas. `example` completes "is not". */
export const list = (isOne: (value: string) => boolean, example: string) =>
  z.string().transform((text, context) => {
    const listed = text.split(',').map((value) => value.trim());
    const wrong = listed.find((value) => !isOne(value));
    if (wrong === undefined) return listed;
    context.addIssue({ code: 'custom', message: `"${wrong}" is not ${example}` });
    return z.NEVER;
  });
