/** All suites, in the order of the page. */
import type { Suite } from '../suite.ts';
import { CALENDARS } from './calendars.ts';

export const SUITES: readonly Suite[] = [...CALENDARS];
