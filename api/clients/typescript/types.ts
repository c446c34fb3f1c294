/** Types of the inputs and answers of operations. */
import type { components, operations } from './api-types.ts';
import type { Upload } from './transport.ts';

export type OperationId = keyof operations;

/** A named type of the interface description, such as `Schema<'BacktestResult'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Json<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never;
type DataIn<Response> = Json<Response> extends { data: infer Data } ? Data : never;

/** `data` of the answer of an operation; if it may be queued, also that of the answer 202. */
export type Data<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses']]: DataIn<operations[Id]['responses'][Status]>;
}[keyof operations[Id]['responses']];

export type PathOf<Id extends OperationId> = operations[Id]['parameters']['path'];
export type QueryOf<Id extends OperationId> = operations[Id]['parameters']['query'];
export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: infer Body }
  ? Json<Body>
  : operations[Id] extends { requestBody?: infer Body }
    ? Json<NonNullable<Body>>
    : never;

/** The members of an operation's input, required or optional. */
type Member<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : undefined extends Value
    ? [NonNullable<Value>] extends [never]
      ? unknown
      : { readonly [name in Name]?: Value }
    : { readonly [name in Name]: Value };

export interface AnyInput {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
  /** Instead of a body. */
  readonly file?: Upload;
}

export type InputOf<Id extends OperationId> = AnyInput &
  Member<'path', PathOf<Id>> &
  Member<'query', QueryOf<Id>> &
  Member<'body', BodyOf<Id>>;

/** Operations that return pages. */
export type PagedOperation = {
  [Id in OperationId]: Data<Id> extends { total: number; items: readonly unknown[] } ? Id : never;
}[OperationId];
export type ItemOf<Id extends PagedOperation> = Data<Id> extends { items: readonly (infer Item)[] } ? Item : never;
