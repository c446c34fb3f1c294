/** Login, login sessions, and the profile: `/api/auth`. */
import { selectUser, type User, updateUserProfile } from '../../db/accounts/users.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { RequestContext } from '../access/request-context.ts';
import { endedCookies, sessionCookies, type WebClient } from '../access/web-client.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, z } from '../http/input/fields.ts';
import { ValidationFailure } from '../http/input/request-failure.ts';
import { adminLogin, verifyCode } from './login.ts';
import { CODE_SECONDS, requestCode } from './login-code.ts';
import { endSession, refreshSession, type TokenPair } from './login-sessions.ts';
import { deleteAccount, userView } from './profile.ts';
import {
  adminLoginSchema,
  challengeField,
  emailField,
  languageField,
  nameField,
  nicknameField,
  phoneField,
  refreshTokenField,
  tokenPairSchema,
  userSchema,
  verifyBody,
  verifySchema,
} from './schemas.ts';
import { defineRoute, type Services } from './services.ts';

const TAG = 'Login and session';
const COMMON = { tag: TAG, access: 'anyone', limit: 'public' } as const;
const EXAMPLE_TOKEN = 'rt_EXAMPLE';

/** Throws if the account of the caller was deleted since it was identified. */
function assertExists(user: User | null): User {
  if (!user) throw new ServiceError('invalid_credential');
  return user;
}

/** The pair in the answer. The web site gets the refresh token in a cookie instead. */
function deliverTokens(context: RequestContext, pair: TokenPair, { isAdmin }: User): z.input<typeof tokenPairSchema> {
  const { webClient, headers } = context;
  if (!webClient) return pair;
  headers['Set-Cookie'] = sessionCookies(webClient, pair.refresh_token, isAdmin);
  return { ...pair, refresh_token: null };
}

function clearCookies({ headers }: RequestContext, webClient: WebClient): void {
  headers['Set-Cookie'] = endedCookies(webClient);
}

function missingToken(): ValidationFailure {
  return new ValidationFailure([
    { loc: ['body', 'refresh_token'], type: 'invalid_type', problem: { code: 'required' } },
  ]);
}

export const AUTH_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'requestLoginCode',
    ...COMMON,
    method: 'post',
    path: '/api/auth/request-code',
    summary: 'Request a login code by e-mail',
    description:
      'The answer is the same whether or not the e-mail address has an account. Send its `challenge` with the code, so that ' +
      'tries of others do not count against it. Limits per IP address: one request in 60 s and five an hour per e-mail ' +
      'address, and 20 an hour in all. Per e-mail address: ten an hour, not counting those from the IP address that it last ' +
      'signed in from.',
    bodySchema: z.strictObject({ email: emailField }),
    bodyExample: { email: 'ada@example.com' },
    dataSchema: z.object({
      sent: z.literal(true),
      expires_in: z.int(),
      challenge: challengeField.meta({ description: 'Identifies this request for `verify`' }),
    }),
    errors: [],
    handle: async ({ body, context, services }) => {
      const challenge = await requestCode(services, context, body.email);
      return { sent: true, expires_in: CODE_SECONDS, challenge } as const;
    },
  }),
  defineRoute({
    operationId: 'verifyLoginCode',
    ...COMMON,
    method: 'post',
    path: '/api/auth/verify',
    summary: 'Log in with a code, or sign up',
    description:
      'An e-mail address without an account is signed up. This needs `name` and `phone` (the code stays valid after 400 ' +
      '`error.profile_required`) and creates the first API key. A login or five wrong tries use up the code. Without the ' +
      '`challenge` of its request, the newest code counts; one that was requested from the same IP address takes precedence.',
    bodySchema: verifyBody,
    bodyExample: { email: 'ada@example.com', code: '042137', name: 'Ada Lovelace', phone: '+1 212 555 0100' },
    dataSchema: verifySchema,
    errors: ['code_invalid', 'profile_required', 'account_inactive'],
    handle: async ({ body, context, services }) => {
      const { pair, user, isNew, apiKey } = await verifyCode(services, context, body);
      return {
        ...deliverTokens(context, pair, user),
        is_new: isNew,
        api_key: apiKey,
        user: userView(user, services.now(), context.locale),
      };
    },
  }),
  defineRoute({
    operationId: 'loginAdmin',
    ...COMMON,
    method: 'post',
    path: '/api/auth/admin-login',
    summary: 'Log in as an administrator with a password',
    description:
      '`login` is the e-mail address or the login name. After five failures per login or 20 per IP address in 15 minutes, ' +
      'the answer is 429. Failures from the IP address that the account last signed in from are counted separately.',
    bodySchema: z.strictObject({
      login: z.string().trim().toLowerCase().min(1).max(254),
      password: z.string().min(1).max(1000),
    }),
    bodyExample: { login: 'admin@example.com', password: 'correct horse battery staple' },
    dataSchema: adminLoginSchema,
    errors: ['login_failed', 'account_inactive'],
    handle: async ({ body, context, services }) => {
      const { pair, user } = await adminLogin(services, context, body);
      return { ...deliverTokens(context, pair, user), user: userView(user, services.now(), context.locale) };
    },
  }),
  defineRoute({
    operationId: 'refreshTokens',
    ...COMMON,
    revokesAccess: true,
    method: 'post',
    path: '/api/auth/refresh',
    summary: 'Exchange a refresh token for a new token pair',
    description:
      'The old refresh token becomes invalid; using it again ends all login sessions of the account. The web site ' +
      'sends `X-Client-Kind: web` from its own origin and its cookie instead of a token; a cookie replaced within ' +
      'the last 10 s is answered with its successor.',
    bodySchema: z.strictObject({ refresh_token: refreshTokenField.optional() }),
    bodyExample: { refresh_token: EXAMPLE_TOKEN },
    dataSchema: tokenPairSchema,
    errors: ['refresh_invalid'],
    handle: async ({ body, context, services }) => {
      const { webClient } = context;
      if (!webClient && body.refresh_token === undefined) throw missingToken();
      const token = webClient ? webClient.refreshToken : body.refresh_token;
      try {
        if (token === undefined) throw new ServiceError('refresh_invalid');
        const { pair, user } = await refreshSession(services, context, token, webClient !== null);
        return deliverTokens(context, pair, user);
      } catch (error) {
        if (webClient && error instanceof ServiceError && error.code === 'refresh_invalid')
          clearCookies(context, webClient);
        throw error;
      }
    },
  }),
  defineRoute({
    operationId: 'logout',
    ...COMMON,
    revokesAccess: true,
    method: 'post',
    path: '/api/auth/logout',
    summary: 'End the login session of a refresh token',
    description: 'Always succeeds, even without a valid token.',
    isForgiving: true,
    bodySchema: z.object({ refresh_token: refreshTokenField.optional() }),
    bodyExample: { refresh_token: EXAMPLE_TOKEN },
    dataSchema: z.object({ logged_out: z.literal(true) }),
    errors: [],
    handle: async ({ body, context, services }) => {
      const { webClient } = context;
      const token = webClient?.refreshToken ?? body.refresh_token;
      if (token !== undefined) await endSession(services, token);
      if (webClient) clearCookies(context, webClient);
      return { logged_out: true } as const;
    },
  }),
  defineRoute({
    operationId: 'getProfile',
    method: 'get',
    path: '/api/auth/me',
    tag: TAG,
    summary: 'Get the account of the caller',
    access: 'member',
    limit: 'account',
    dataSchema: userSchema,
    errors: [],
    handle: async ({ caller, context, services: { pool, now } }) =>
      userView(assertExists(await selectUser(pool, caller.account.userId)), now(), context.locale),
  }),
  defineRoute({
    operationId: 'updateProfile',
    method: 'patch',
    path: '/api/auth/me',
    tag: TAG,
    summary: 'Update the profile',
    description:
      'Changes only the fields that are sent. The e-mail address cannot be changed. `nickname: null` clears the nickname.',
    access: 'console',
    limit: 'account',
    bodySchema: z.strictObject({
      nickname: nicknameField.optional(),
      name: nameField.optional(),
      phone: phoneField.optional(),
      language: languageField.optional(),
      revision_mail: z.boolean().optional(),
    }),
    bodyExample: { nickname: 'Ada', language: 'en' },
    dataSchema: userSchema,
    errors: [],
    handle: async ({ body: { revision_mail: mailsRevisions, ...body }, caller, context, services: { pool, now } }) => {
      const updated = await updateUserProfile(pool, caller.account.userId, { ...body, mailsRevisions });
      return userView(assertExists(updated), now(), context.locale);
    },
  }),
  defineRoute({
    operationId: 'deleteAccount',
    revokesAccess: true,
    method: 'delete',
    path: '/api/auth/me',
    tag: TAG,
    summary: 'Delete the account and everything that belongs to it',
    description: 'The e-mail address confirms the deletion, which cannot be undone.',
    access: 'console',
    isLong: true,
    limit: 'account',
    bodySchema: z.strictObject({ email: emailField }),
    bodyExample: { email: 'ada@example.com' },
    dataSchema: deletedSchema,
    errors: ['email_mismatch', 'last_admin'],
    handle: async ({ body, caller, context, services }) => {
      await deleteAccount(services, context, caller.account.userId, body.email);
      return { deleted: true } as const;
    },
  }),
];
