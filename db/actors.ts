/** Who did something, in records that outlive accounts: they have the id of an account, whose e-mail address is read with them. */

/** The id of an account, or the name of a program or operator, such as `scheduler` or `ops:ada`. */
export type Actor = number | string;

const DELETED = 'deleted account';

/** The values of the columns `…_by_id` and `…_by`. */
export function actorValues(actor: Actor): [id: number | null, name: string] {
  return typeof actor === 'number' ? [actor, DELETED] : [null, actor];
}

/** SQL: the e-mail address of an account while it exists, or the name. */
export function actorName(table: string, column: `${string}_by`): string {
  return `coalesce((select u.email from users u where u.id = ${table}.${column}_id), ${table}.${column})`;
}

/** Names an actor in a text that is stored. */
export function describeActor(actor: Actor): string {
  return typeof actor === 'number' ? 'an administrator' : actor;
}
