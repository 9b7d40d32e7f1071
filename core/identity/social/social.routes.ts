import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { addressFor } from '../../http/address/own-address.ts'
import { Data } from '../../http/schema.ts'
import { originOf } from '../auth/sign-in/open-session.ts'
import { begin, MINUTES } from './begin.ts'
import { comeBack } from './callback.ts'
import { clientFor } from './providers/clients.ts'
import { leave } from './redirect.ts'
import { Begun, ByProvider, Entered, GivenCode, GivenToken, Redirecting, Unlinking } from './social.model.ts'
import type { Purpose } from './social.queries.ts'
import { enterByCode, enterByToken } from './token-exchange.ts'
import { unlink } from './unlink.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Users'], summary, operationId })
const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const CALLBACKS: readonly (readonly [path: string, purpose: Purpose, id: string])[] = [
  ['/social/:provider/callback', 'sign_in', 'socialCallback'],
  ['/social/:provider/link/callback', 'link', 'socialLinkCallback'],
]
const FORM = { type: 'object' as const, additionalProperties: { type: 'string' as const } }
/** Read by the page that takes it. */
const form = { requestBody: { required: false, content: { 'application/x-www-form-urlencoded': { schema: FORM } } } }
const METHODS = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Signing in with an account of somebody else: Google, Apple, Facebook, TikTok. */
export function social(context: Context) {
  const app = new Elysia({ name: 'social', prefix: '/v1' })
    .use(context.auth)
    .get('/social/:provider/redirect', ({ params, query, request }) => leave(context, request, params.provider, query), {
      open: true,
      params: ByProvider,
      query: Redirecting,
      detail: {
        ...describe('Sign in with a provider: sends the browser there', 'beginSocialSignIn'),
        responses: {
          200: { description: 'A page that says why not.', content: HTML },
          303: { description: 'On to the provider.' },
        },
      },
    })
    .get(
      '/social/:provider/link',
      async ({ caller, person, params, query, request }) => {
        const client = await clientFor(context, params.provider)
        const session = { id: caller.credentialId, userId: person.id }
        const begun = { purpose: 'link' as const, browser: null, session, origin: addressFor(context, request), ...query }
        const expiresAt = new Date(Date.now() + MINUTES * 60_000).toISOString()
        return { data: { url: await begin(context, client, begun), expiresAt } }
      },
      {
        user: 'himself',
        params: ByProvider,
        query: Redirecting,
        response: Data(Begun),
        detail: describe(
          'Link an account at a provider to yours: gives the address that your browser goes to, good for this session',
          'beginSocialLink',
        ),
      },
    )
    .post(
      '/users/auth/social/:provider/token',
      async ({ params, body, caller, ...asked }) => ({
        data: await enterByToken(context, params.provider, body, { caller, from: originOf(asked) }),
      }),
      {
        open: true,
        params: ByProvider,
        body: GivenToken,
        response: Data(Entered),
        detail: describe('Sign in with a token that a provider gave an app; of a new person an account is made', 'signInWithSocialToken'),
      },
    )
    .post(
      '/users/auth/social/:provider/callback',
      async ({ params, body, caller, ...asked }) => ({
        data: await enterByCode(context, params.provider, body, { caller, from: originOf(asked) }),
      }),
      {
        open: true,
        params: ByProvider,
        body: GivenCode,
        response: Data(Entered),
        detail: describe(
          'Sign in with the ticket that a browser came back with, or with a code that a provider gave an app',
          'signInWithSocialCode',
        ),
      },
    )
    .post(
      '/social/unlink',
      async ({ person, body, set }) => {
        await unlink(context, person.id, body.provider)
        set.status = 204
      },
      {
        user: 'himself',
        body: Unlinking,
        response: { 204: T.Void() },
        detail: describe('Take a sign-in away from your account; never the last way in', 'unlinkSocial'),
      },
    )
  // Providers send browsers back by an address, or by a form of theirs; and the forms that are then shown go there too.
  for (const [path, purpose, id] of CALLBACKS)
    for (const method of METHODS)
      app.route(
        method,
        path,
        ({ params, request, address }) => comeBack(context, request, params.provider, purpose, originOf({ request, address })),
        {
          open: true,
          params: ByProvider,
          detail: {
            ...describe(
              'Where a provider sends the browser back to: the page of the app, or one of ours that says how it went',
              `${id}.${method}`,
            ),
            responses: {
              200: { description: 'How it went, or what is still to be said.', content: HTML },
              303: { description: 'On to the app.' },
            },
            ...(method === 'POST' && form),
          },
        },
      )
  return app
}
