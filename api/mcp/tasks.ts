/** Tasks for runs that take long, by the extension `io.modelcontextprotocol/tasks`, of which the library has no runtime. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from '../http/input/fields.ts';
import { type Data, isData, partOf } from './data.ts';
import { OperationFailure, type ToolContext } from './operations.ts';
import { cancelRun, findResult, isKind, type KindName, shownResult } from './runs.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';
/** States of runs can be read for an hour after their end. */
const TTL_MS = 3_600_000;
const POLL_MS = 2_000;
const RADIX = 36;

const taskParams = z.looseObject({ taskId: z.string().max(200) });

/** Whether the client of a call understands tasks. */
export function takesTasks(body: unknown): boolean {
  const meta = partOf(body, 'params._meta');
  const declared = isData(meta) ? meta[CLIENT_CAPABILITIES_META_KEY] : undefined;
  return isData(declared) && isData(declared.extensions) && EXTENSION in declared.extensions;
}

interface Handle {
  readonly kind: KindName;
  readonly id: string;
  readonly createdAt: Date;
}

/** The id of a task says which run it is of, and when it was made: no server remembers it. */
function parseTask(taskId: string): Handle {
  const [kind = '', id = '', made = ''] = taskId.split('.');
  const createdAt = new Date(Number.parseInt(made, RADIX));
  if (!isKind(kind) || Number.isNaN(createdAt.getTime())) throw unknownTask(taskId);
  return { kind, id, createdAt };
}

const unknownTask = (taskId: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown task: ${taskId}`);

function taskOf(taskId: string, createdAt: Date, now: Date) {
  const [created, updated] = [createdAt.toISOString(), now.toISOString()];
  return { taskId, createdAt: created, lastUpdatedAt: updated, ttlMs: TTL_MS, pollIntervalMs: POLL_MS };
}

/** An answer that is a task: its content is the handle, which `read` takes too. */
export function createdTask(handle: CallToolResult, { kind, id }: Data, now: Date): CallToolResult {
  const taskId = [kind, id, now.getTime().toString(RADIX)].join('.');
  return { ...handle, resultType: 'task', status: 'working', ...taskOf(taskId, now, now) };
}

export interface TaskServices {
  readonly context: ToolContext;
  readonly now: () => Date;
  /** The answer of a tool that has a value. */
  readonly answer: (value: Data) => Promise<CallToolResult>;
}

async function stateOf(taskId: string, { context, now, answer }: TaskServices): Promise<Data> {
  const { kind, id, createdAt } = parseTask(taskId);
  const found = await findResult(kind, id, context, 0).catch((error: unknown) => {
    throw error instanceof OperationFailure ? unknownTask(taskId) : error;
  });
  const task = taskOf(taskId, createdAt, now());
  if ('result' in found) {
    return { ...task, status: 'completed', result: await answer(shownResult(kind, id, found.result, context)) };
  }
  const { status, error, progress_pct: progress } = found.state;
  if (status === 'cancelled') return { ...task, status: 'cancelled' };
  if (isData(error)) {
    return {
      ...task,
      status: 'failed',
      error: { code: ProtocolErrorCode.InternalError, message: String(error.message) },
    };
  }
  return { ...task, status: 'working', ...(typeof progress === 'number' ? { statusMessage: `${progress} %` } : {}) };
}

export function registerTasks(server: McpServer, services: TaskServices): void {
  server.server.registerCapabilities({ extensions: { [EXTENSION]: {} } });
  const schemas = { params: taskParams };
  server.server.setRequestHandler('tasks/get', schemas, ({ taskId }) => stateOf(taskId, services));
  // No run asks for anything.
  server.server.setRequestHandler('tasks/update', schemas, async ({ taskId }) => {
    await stateOf(taskId, services);
    return {};
  });
  server.server.setRequestHandler('tasks/cancel', schemas, async ({ taskId }) => {
    const { status } = await stateOf(taskId, services);
    const { kind, id } = parseTask(taskId);
    if (status === 'working') await cancelRun(kind, id, services.context);
    return {};
  });
}
