/** The events of an account as they happen: `/v1/stream`. */

import { ServiceError } from '../../engine/util/errors.ts';
import { type Route, routesWith } from '../call/route.ts';
import { EventStream } from '../http/answer/reply.ts';
import { z } from '../http/input/fields.ts';
import type { EventStreams } from './event-streams.ts';

interface Services {
  readonly streams: EventStreams;
}

const defineRoute = routesWith<Services>();

/** The number of an event; throws for a text that is none. */
function eventNumber(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw new ServiceError('unknown_event', { id: text.slice(0, 32) });
  return Number(text);
}

export const STREAM_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'getStream',
    method: 'get',
    path: '/v1/stream',
    tag: 'Webhooks',
    summary: 'Get the events of the account as they happen',
    description:
      'Server-sent events, each a line of JSON with `at`: `job.progress` and `run.ended` (`job_id`, `kind`, `status`, and ' +
      '`progress_pct`, or the `id` of the kept run and `error`), `data.loaded`, `signals.ready`, and `run.revised` as webhooks have them, ' +
      'and `limit.near` (`category`, `limit`, `remaining`). A comment comes every 15 seconds. A reader that leaves more than 64 KiB ' +
      'unread is dropped.',
    access: 'member',
    limit: 'account',
    fileTypes: ['text/event-stream'],
    isStream: true,
    dataSchema: z.string().meta({ id: 'EventStream' }),
    errors: ['unknown_event', 'too_many_streams'],
    handle: async ({ caller, context, services: { streams } }) => {
      const { userId } = caller.account;
      const expiresAt = caller.kind === 'key' ? caller.expiresAt : null;
      const reader = { userId, after: eventNumber(context.lastEventId), expiresAt };
      await streams.assertReadable(reader);
      return new EventStream((sink) => streams.attach(reader, sink));
    },
  }),
];
