import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { createOnce } from '../../http/idempotency.ts'
import { languageOf } from '../../http/pages/language.ts'
import { noticeResponse } from '../../http/pages/notice-page.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { SignInResult } from '../auth/auth.model.ts'
import { clientOriginOf } from '../auth/sign-in/create-session.ts'
import { passkeyMessages } from './messages.ts'
import { Passkey, PasskeyAuthentication, PasskeyCeremony, PasskeyOutcome, PasskeyRegistration } from './passkeys.model.ts'
import { listPasskeys } from './passkeys.queries.ts'
import {
  beginAuthentication,
  beginRegistration,
  finishAuthentication,
  finishRegistration,
  relyingPartyOf,
  removePasskey,
} from './passkeys.ts'

const describe = tagOperations('Users')
const HTML = { 'text/html': { schema: { type: 'string' as const } } }

/** Routes to register passkeys and to sign in with them (WebAuthn). */
export function passkeys(context: Context) {
  const { sql, config } = context
  const relyingParty = (request: Request) => relyingPartyOf(serverAddressFor(context, request), config.corsOrigins)
  return new Elysia({ name: 'passkeys', prefix: '/v1/passkeys' })
    .use(context.auth)
    .post(
      '/register/start',
      async ({ person, request }) => ({ data: await beginRegistration(context, person.id, relyingParty(request)) }),
      {
        user: 'direct',
        response: Data(PasskeyCeremony),
        detail: describe('Start to register a passkey', 'beginPasskeyRegistration'),
      },
    )
    .post(
      '/register/finish',
      (creation) => {
        const { caller, person, body, request } = creation
        const userAgent = request.headers.get('user-agent') ?? ''
        const session = { id: caller.credentialId, userId: person.id }
        return createOnce(context, creation, async (tx) => ({
          data: await finishRegistration(tx, context, session, body, relyingParty(request), userAgent),
        }))
      },
      {
        user: 'direct',
        body: PasskeyRegistration,
        response: { 201: Data(Passkey) },
        detail: describe('Register the passkey that the authenticator created', 'registerPasskey'),
      },
    )
    .post('/authenticate/start', async ({ request }) => ({ data: await beginAuthentication(context, relyingParty(request)) }), {
      open: true,
      response: Data(PasskeyCeremony),
      detail: describe('Start to sign in with a passkey, without naming the user', 'beginPasskeySignIn'),
    })
    .post(
      '/authenticate/finish',
      async ({ body, ...rest }) => ({ data: await finishAuthentication(context, body, relyingParty(rest.request), clientOriginOf(rest)) }),
      {
        open: true,
        body: PasskeyAuthentication,
        response: Data(SignInResult),
        detail: describe('Sign in with the response of a passkey; no second factor is needed', 'signInWithPasskey'),
      },
    )
    .get('', ({ person, query }) => readKeysetPage(query, (before, take) => listPasskeys(sql, person.id, before, take)), {
      user: true,
      query: T.Object(pageQuery),
      response: List(Passkey),
      detail: describe('List your passkeys, newest first', 'listPasskeys'),
    })
    .delete(
      '/:id',
      async ({ person, params, set }) => {
        await removePasskey(context, person.id, params.id)
        set.status = 204
      },
      {
        user: 'direct',
        params: T.Object({ id: Id }),
        response: { 204: T.Void() },
        detail: describe('Remove a passkey, unless it is the last sign-in method', 'deletePasskey'),
      },
    )
    .get(
      '/auth-callback',
      ({ query, request }) => {
        const language = languageOf(query.ui_locales ?? null, request.headers.get('accept-language'))
        return noticeResponse({ language, ...passkeyMessages[language][query.result ?? 'done'] })
      },
      {
        open: true,
        query: T.Object({
          result: T.Optional(PasskeyOutcome),
          ui_locales: T.Optional(T.String({ maxLength: 40, description: 'the language of the page' })),
        }),
        detail: {
          ...describe(
            'Show the page at which a mobile app leaves the browser after a ceremony; it contains no credential',
            'endPasskeyCeremony',
          ),
          responses: { 200: { description: 'A page.', content: HTML } },
        },
      },
    )
}
