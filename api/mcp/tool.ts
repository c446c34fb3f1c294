/** A tool for assistants: its input, and a short answer. */
import type { z } from '../http/input/fields.ts';
import type { CallOperation } from './operations.ts';

/** Seconds that a call waits for a run. */
export const WAIT_S = 25;

export type Data = Readonly<Record<string, unknown>>;

export interface ToolContext {
  readonly call: CallOperation;
  /** The address of a page of this service. */
  readonly link: (path: string, query?: Readonly<Record<string, unknown>>) => string;
}

export interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  /** For the assistant: the purpose of the tool, and what it returns. */
  readonly description: string;
  readonly inputSchema: S;
  /** Whether it changes nothing. Runs do, because the account keeps their results. */
  readonly isReadOnly: boolean;
  readonly run: (input: z.output<S>, context: ToolContext) => Promise<object>;
}

// A list of tools has every combination of types; each was checked by `defineTool`.
// biome-ignore lint/suspicious/noExplicitAny: see above
export interface Tool extends ToolDefinition<any> {}

export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  return definition;
}

/** Some members of an object, without those that are not there. */
export function pick(value: Data, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}
