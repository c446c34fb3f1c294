/** Grants that an account has given to assistants (`/api/account/grants`), and their requests. */
import { SCOPES } from '../../db/accounts/api-keys.ts';
import { type AssistantGrant, deleteGrant, insertGrant, selectGrants } from '../../db/accounts/assistant-grants.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { found, ServiceError } from '../../engine/util/errors.ts';
import { type AuditedCall, audited, auditIntent, entriesWith } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, idField, instant, listSchema, onePage, z } from '../http/input/fields.ts';
import { REQUESTS_PATH } from './addresses.ts';
import { defineRoute, type Services } from './services.ts';

const COMMON = { tag: 'Account console', access: 'console', limit: 'account' } as const;
const PATH = '/api/account/grants';
const REQUEST_PATH = `${REQUESTS_PATH}/{request_id}`;
/** Assistants of one account. */
const MAX_GRANTS = 20;
const TRIALS = 1_000;
const MAX_TRIALS = 1_000_000;
const MAX_NAME_CHARS = 100;

const scopesField = z.array(z.enum(SCOPES));
const grantPath = z.object({ grant_id: idField });
const requestPath = z.object({ request_id: z.string().max(64).meta({ example: 'V1StGXR8_Z5jdHi6B-myT' }) });

const grantSchema = z
  .object({
    id: z.int(),
    client_id: z.string(),
    name: z.string().meta({ description: 'As the client calls itself' }),
    scopes: scopesField,
    created_at: instant,
    last_used_at: instant.nullable(),
    trial_limit: z.int(),
    trials: z.int().meta({ description: 'That the assistant has made of `trial_limit`' }),
  })
  .meta({ id: 'AssistantGrant' });

const requestSchema = z
  .object({
    client_id: z.string(),
    name: z.string().meta({ description: 'As the client calls itself' }),
    redirect_host: z.string().meta({ description: 'Where the answer goes' }),
    scopes: scopesField,
    trial_limit: z.int().meta({ description: 'That a grant has unless its owner decides otherwise' }),
  })
  .meta({ id: 'GrantRequest' });

const decisionBody = z.strictObject({
  allowed: z.boolean(),
  scopes: scopesField.min(1).optional().meta({ description: 'At most those requested. Default: all of them' }),
  trial_limit: z.int().min(0).max(MAX_TRIALS).default(TRIALS),
});

function grantView(grant: AssistantGrant): z.input<typeof grantSchema> {
  return {
    id: grant.id,
    client_id: grant.clientId ?? '',
    name: grant.name,
    scopes: SCOPES.filter((scope) => grant.scopes.includes(scope)),
    created_at: grant.createdAt.toISOString(),
    last_used_at: grant.lastUsedAt?.toISOString() ?? null,
    trial_limit: grant.trialLimit,
    trials: grant.trials,
  };
}

/** A request that is under way; throws `not_found` when it has expired or is answered. */
async function requested({ oauth }: Services, id: string) {
  const provider = await oauth();
  const interaction = found((await provider.Interaction.find(id)) ?? null);
  const { client_id: clientId, redirect_uri: redirect, scope = '' } = interaction.params;
  const client = found((await provider.Client.find(String(clientId))) ?? null);
  const asked = String(scope).split(' ');
  return {
    interaction,
    view: {
      client_id: client.clientId,
      name: (client.clientName ?? client.clientId).slice(0, MAX_NAME_CHARS),
      redirect_host: new URL(String(redirect)).host || new URL(String(redirect)).protocol,
      scopes: SCOPES.filter((one) => asked.includes(one)),
      trial_limit: TRIALS,
    },
  };
}

type Requested = Awaited<ReturnType<typeof requested>>;

/** Where the browser goes next: back to the library, which answers the client. */
async function finish({ interaction }: Requested, result: Requested['interaction']['result'], now: number) {
  interaction.result = result;
  await interaction.save(Math.max(1, interaction.exp - Math.floor(now / 1000)));
  return { location: new URL(interaction.returnTo).pathname };
}

type Decision = z.output<typeof decisionBody>;

async function decide(
  call: AuditedCall<Services>,
  id: string,
  { allowed, scopes, trial_limit: trialLimit }: Decision,
): Promise<{ location: string }> {
  const { services, caller, context } = call;
  const { userId } = caller.account;
  // Only the browser that the client sent here: another one would grant to a stranger.
  if (context.webClient?.grantRequest !== id) throw new ServiceError('not_found');
  const request = await requested(services, id);
  if (!allowed) return finish(request, { error: 'access_denied' }, services.now());
  const { client_id: clientId, name, scopes: asked } = request.view;
  const granted = asked.filter((scope) => scopes?.includes(scope) ?? true);
  if (granted.length === 0) return finish(request, { error: 'invalid_scope' }, services.now());
  const intent = auditIntent(call, { details: { client: clientId, scopes: granted, trials: trialLimit } });
  const grantId = await audited(call, intent, async (connection) => {
    await lockUser(connection, userId);
    const count = (await selectGrants(connection, userId)).length + 1;
    if (count > MAX_GRANTS)
      throw new ServiceError('quota_exceeded', { plan: caller.plan, quota: 'grants_max', max: MAX_GRANTS, count });
    const createdAt = new Date(services.now());
    const grant = { userId, clientId, name, scopes: granted, trialLimit, createdAt };
    const result = await insertGrant(connection, grant);
    return { result, entries: entriesWith(intent, { targetId: String(result) }) };
  });
  const accountId = String(userId);
  return finish(
    request,
    { login: { accountId, remember: false }, consent: { grantId: String(grantId) } },
    services.now(),
  );
}

function revoke(call: AuditedCall<Services>, grantId: number): Promise<{ deleted: true }> {
  const intent = auditIntent(call);
  return audited(call, intent, async (connection) => {
    found((await deleteGrant(connection, grantId, call.caller.account.userId)) || null);
    return { result: { deleted: true } as const, entries: intent.entries };
  });
}

export const GRANT_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'listGrants',
    ...COMMON,
    method: 'get',
    path: PATH,
    summary: 'List what the account has granted to assistants',
    dataSchema: listSchema(grantSchema),
    errors: [],
    handle: async ({ caller, services: { pool } }) =>
      onePage((await selectGrants(pool, caller.account.userId)).map(grantView)),
  }),
  defineRoute({
    operationId: 'deleteGrant',
    ...COMMON,
    revokesAccess: true,
    method: 'delete',
    path: `${PATH}/{grant_id}`,
    summary: 'Revoke what an assistant was granted',
    description: 'Its tokens end at once.',
    audit: { action: 'grant.revoke', target: 'grant', parameter: 'grant_id' },
    pathSchema: grantPath,
    dataSchema: deletedSchema,
    errors: ['not_found'],
    handle: (call) => revoke(call, call.path.grant_id),
  }),
  defineRoute({
    operationId: 'getGrantRequest',
    ...COMMON,
    method: 'get',
    path: REQUEST_PATH,
    summary: 'Get what an assistant requests',
    pathSchema: requestPath,
    dataSchema: requestSchema,
    errors: ['not_found'],
    handle: async ({ path, services }) => (await requested(services, path.request_id)).view,
  }),
  defineRoute({
    operationId: 'createGrant',
    ...COMMON,
    method: 'post',
    path: REQUEST_PATH,
    summary: 'Grant or refuse what an assistant requests',
    description: 'For the web site: the browser must be the one that the assistant opened.',
    audit: { action: 'grant.create', target: 'grant' },
    takesIdempotencyKey: true,
    pathSchema: requestPath,
    bodySchema: decisionBody,
    bodyExample: { allowed: true, scopes: ['read', 'research'], trial_limit: 200 },
    dataSchema: z.object({ location: z.string().meta({ description: 'Where the browser goes next' }) }),
    errors: ['not_found', 'quota_exceeded'],
    errorDetails: { quota_exceeded: { plan: 'free', quota: 'grants_max', max: MAX_GRANTS, count: MAX_GRANTS + 1 } },
    handle: (call) => decide(call, call.path.request_id, call.body),
  }),
];
