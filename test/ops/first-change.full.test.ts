/** The first change of CONTRIBUTING.md: its patch applies, and its unit test fails without it. */
import { expect, it } from '@jest/globals';
import { deadline } from '../support/deadlines.ts';
import { COMMANDS, runInCopy } from '../support/first-change.ts';

/** They start a database, or read the whole project: `first-change.night.test.ts`. */
const isLong = (command: string) => /^npm (test|run check)\b/.test(command);

it(
  'of CONTRIBUTING applies, and its unit test fails without it',
  () => {
    const quick = COMMANDS.filter((command) => !isLong(command));
    expect([COMMANDS.length, quick.length]).toEqual([6, 4]);
    runInCopy(quick);
  },
  deadline(60_000),
);
