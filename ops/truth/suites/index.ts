/** All suites, in the order of the page. */
import type { Suite } from '../suite.ts';
import { CALENDARS } from './calendars.ts';
import { DUCKDB } from './duckdb.ts';
import { PUBLISHED_INDICATORS } from './published-indicators.ts';
import { TA_LIB } from './ta-lib.ts';
import { ZIPLINE } from './zipline-adjustments.ts';

export const SUITES: readonly Suite[] = [TA_LIB, ...PUBLISHED_INDICATORS, DUCKDB, ZIPLINE, ...CALENDARS];
