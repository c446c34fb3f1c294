/** The thread that makes the interface description: it knows every route and every schema. */
import { workerData } from 'node:worker_threads';
import { postFromThread } from '../../made-in-thread.ts';
import { ROUTES } from '../../routes.ts';
import { buildOpenApi } from './openapi.ts';

postFromThread(buildOpenApi(ROUTES, workerData.publicApiBase));
