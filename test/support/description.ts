/** The interface description. A run makes it once, because that takes as long as loading all modules. */
import { readFileSync } from 'node:fs';
import { buildOpenApi } from '../../api/docs/openapi.ts';
import { ROUTES } from '../../api/routes.ts';

const file = process.env.TEST_DESCRIPTION;

/** As it is served at the address `http://test`, in JSON. */
export const DESCRIPTION =
  file === undefined ? JSON.stringify(buildOpenApi(ROUTES, 'http://test')) : readFileSync(file, 'utf8');
