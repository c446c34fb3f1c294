/** Example answers in the interface description. Operations that answer the same share one. */
import type { z } from '../input/fields.ts';
import type { Reference, Shelf } from './components.ts';
import { exampleOf } from './examples.ts';

/** Keys whose values tell what the operation did: answers of one schema that differ in them need examples of their own. */
const TELLING = new Set(['api_url', 'enabled', 'location', 'paused', 'shared', 'state', 'status', 'url', 'verdict']);

export interface AnswerExamples {
  /** The example of an operation for a status; undefined if none was recorded. */
  readonly of: (operationId: string, schema: z.ZodType, status: number) => Reference | undefined;
}

export function openAnswerExamples(shelf: Shelf): AnswerExamples {
  const known = new Map<z.ZodType, Map<string, Reference>>();
  return {
    of: (operationId, schema, status) => {
      const data = exampleOf(operationId, status);
      if (data === undefined) return undefined;
      const ofSchema = known.get(schema) ?? new Map<string, Reference>();
      known.set(schema, ofSchema);
      const told = JSON.stringify(telling(data));
      const example = ofSchema.get(told) ?? shareExample(shelf, data, operationId, status);
      ofSchema.set(told, example);
      return example;
    },
  };
}

function shareExample(shelf: Shelf, data: unknown, operationId: string, status: number): Reference {
  return shelf.share({ value: { code: 0, message: 'ok', data } }, operationId, `${operationId}${status}`);
}

/** The telling members of an answer, on its first level. */
function telling(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  return Object.entries(data).filter(([key]) => TELLING.has(key));
}
