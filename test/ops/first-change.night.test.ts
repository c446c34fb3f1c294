/** The first change of CONTRIBUTING.md works: all its commands, as they stand there. */
import { it } from '@jest/globals';
import { deadline } from '../support/deadlines.ts';
import { COMMANDS, runInCopy } from '../support/first-change.ts';

it('of CONTRIBUTING works, and its tests fail without it', () => runInCopy(COMMANDS), deadline(120_000));
