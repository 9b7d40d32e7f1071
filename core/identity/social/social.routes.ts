import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { clientOriginOf } from '../auth/sign-in/create-session.ts'
import { handleCallback } from './callback.ts'
import { requireSocialClient } from './providers/clients.ts'
import { redirectToProvider } from './redirect.ts'
import {
  LinkStart,
  ProviderParams,
  RedirectQuery,
  SocialCodeInput,
  SocialSignInResponse,
  SocialTokenInput,
  UnlinkInput,
} from './social.model.ts'
import type { SocialPurpose } from './social.queries.ts'
import { FLOW_MINUTES, startSocialFlow } from './start-flow.ts'
import { signInByCode, signInByToken } from './token-exchange.ts'
import { unlinkProvider } from './unlink.ts'

const describe = tagOperations('Users')
const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const CALLBACKS: readonly (readonly [path: string, purpose: SocialPurpose, id: string])[] = [
  ['/social/:provider/callback', 'sign_in', 'socialCallback'],
  ['/social/:provider/link/callback', 'link', 'socialLinkCallback'],
]
const FORM = { type: 'object' as const, additionalProperties: { type: 'string' as const } }
/** OpenAPI description of the form of a provider; the handler parses it. */
const form = { requestBody: { required: false, content: { 'application/x-www-form-urlencoded': { schema: FORM } } } }
const METHODS = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Routes to sign in with an account at a provider: Google, Apple, Facebook, TikTok. */
export function social(context: Context) {
  const app = new Elysia({ name: 'social', prefix: '/v1' })
    .use(context.auth)
    .get('/social/:provider/redirect', ({ params, query, request }) => redirectToProvider(context, request, params.provider, query), {
      open: true,
      params: ProviderParams,
      query: RedirectQuery,
      detail: {
        ...describe('Sign in with a provider: redirects the browser to it', 'beginSocialSignIn'),
        responses: {
          200: { description: 'A page that explains why the sign-in could not be started.', content: HTML },
          303: { description: 'Redirects to the provider.' },
        },
      },
    })
    .get(
      '/social/:provider/link',
      async ({ caller, person, params, query, request }) => {
        const client = await requireSocialClient(context, params.provider)
        const session = { id: caller.credentialId, userId: person.id }
        const start = { purpose: 'link' as const, browser: null, session, origin: serverAddressFor(context, request), ...query }
        const expiresAt = new Date(Date.now() + FLOW_MINUTES * 60_000).toISOString()
        return { data: { url: await startSocialFlow(context, client, start), expiresAt } }
      },
      {
        user: 'direct',
        params: ProviderParams,
        query: RedirectQuery,
        response: Data(LinkStart),
        detail: describe(
          'Link an account at a provider to yours: returns the address that your browser must open, valid for this session',
          'beginSocialLink',
        ),
      },
    )
    .post(
      '/users/auth/social/:provider/token',
      async ({ params, body, caller, ...rest }) => ({
        data: await signInByToken(context, params.provider, body, { caller, from: clientOriginOf(rest) }),
      }),
      {
        open: true,
        params: ProviderParams,
        body: SocialTokenInput,
        response: Data(SocialSignInResponse),
        detail: describe('Sign in with a token that a provider gave to an app; a new user gets an account', 'signInWithSocialToken'),
      },
    )
    .post(
      '/users/auth/social/:provider/callback',
      async ({ params, body, caller, ...rest }) => ({
        data: await signInByCode(context, params.provider, body, { caller, from: clientOriginOf(rest) }),
      }),
      {
        open: true,
        params: ProviderParams,
        body: SocialCodeInput,
        response: Data(SocialSignInResponse),
        detail: describe('Sign in with the ticket from a redirect, or with a code that a provider gave to an app', 'signInWithSocialCode'),
      },
    )
    .post(
      '/social/unlink',
      async ({ person, body, set }) => {
        await unlinkProvider(context, person.id, body.provider)
        set.status = 204
      },
      {
        user: 'direct',
        body: UnlinkInput,
        response: { 204: T.Void() },
        detail: describe('Remove a social sign-in, unless it is the last sign-in method', 'unlinkSocial'),
      },
    )
  // Providers redirect the browser or submit a form. Forms of the pages that follow are submitted here too.
  for (const [path, purpose, id] of CALLBACKS)
    for (const method of METHODS)
      app.route(
        method,
        path,
        ({ params, request, address }) => handleCallback(context, request, params.provider, purpose, clientOriginOf({ request, address })),
        {
          open: true,
          params: ProviderParams,
          detail: {
            ...describe('Handle the return from a provider: redirects to the app, or shows a page with the result', `${id}.${method}`),
            responses: {
              200: { description: 'A page with the result, or with a form for missing values.', content: HTML },
              303: { description: 'Redirects to the app.' },
            },
            ...(method === 'POST' && form),
          },
        },
      )
  return app
}
