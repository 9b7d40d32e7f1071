import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { addressFor } from '../../http/address/own-address.ts'
import { createOnce } from '../../http/idempotency.ts'
import { languageOf } from '../../http/pages/language.ts'
import { noticeResponse } from '../../http/pages/notice-page.ts'
import { page } from '../../http/resource/page.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { SignedIn } from '../auth/auth.model.ts'
import { originOf } from '../auth/sign-in/open-session.ts'
import { words } from './messages.ts'
import { Authentication, Ceremony, Passkey, PasskeyOutcome, Registration } from './passkeys.model.ts'
import { listPasskeys } from './passkeys.queries.ts'
import { beginAuthentication, beginRegistration, finishAuthentication, finishRegistration, placeOf, removePasskey } from './passkeys.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Users'], summary, operationId })
const HTML = { 'text/html': { schema: { type: 'string' as const } } }

/** Signing in without a password (WebAuthn). */
export function passkeys(context: Context) {
  const { sql, config } = context
  const place = (request: Request) => placeOf(addressFor(context, request), config.corsOrigins)
  return new Elysia({ name: 'passkeys', prefix: '/v1/passkeys' })
    .use(context.auth)
    .post('/register/start', async ({ person, request }) => ({ data: await beginRegistration(context, person.id, place(request)) }), {
      user: 'himself',
      response: Data(Ceremony),
      detail: describe('Begin to register a passkey', 'beginPasskeyRegistration'),
    })
    .post(
      '/register/finish',
      (creation) => {
        const { caller, person, body, request } = creation
        const userAgent = request.headers.get('user-agent') ?? ''
        const session = { id: caller.credentialId, userId: person.id }
        return createOnce(context, creation, async (tx) => ({
          data: await finishRegistration(tx, context, session, body, place(request), userAgent),
        }))
      },
      {
        user: 'himself',
        body: Registration,
        response: { 201: Data(Passkey) },
        detail: describe('Register the passkey that the authenticator made', 'registerPasskey'),
      },
    )
    .post('/authenticate/start', async ({ request }) => ({ data: await beginAuthentication(context, place(request)) }), {
      open: true,
      response: Data(Ceremony),
      detail: describe('Begin to sign in with a passkey, without saying who', 'beginPasskeySignIn'),
    })
    .post(
      '/authenticate/finish',
      async ({ body, ...asked }) => ({ data: await finishAuthentication(context, body, place(asked.request), originOf(asked)) }),
      {
        open: true,
        body: Authentication,
        response: Data(SignedIn),
        detail: describe('Sign in with what the passkey answered; no second factor is asked for besides', 'signInWithPasskey'),
      },
    )
    .get('', ({ person, query }) => page(query, (before, take) => listPasskeys(sql, person.id, before, take)), {
      user: true,
      query: T.Object(pageQuery),
      response: List(Passkey),
      detail: describe('Your passkeys, newest first', 'listPasskeys'),
    })
    .delete(
      '/:id',
      async ({ person, params, set }) => {
        await removePasskey(context, person.id, params.id)
        set.status = 204
      },
      {
        user: 'himself',
        params: T.Object({ id: Id }),
        response: { 204: T.Void() },
        detail: describe('Remove a passkey; never the last way in', 'deletePasskey'),
      },
    )
    .get(
      '/auth-callback',
      ({ query, request }) => {
        const language = languageOf(query.ui_locales ?? null, request.headers.get('accept-language'))
        return noticeResponse({ language, ...words[language][query.result ?? 'done'] })
      },
      {
        open: true,
        query: T.Object({
          result: T.Optional(PasskeyOutcome),
          ui_locales: T.Optional(T.String({ maxLength: 40, description: 'the language of the page' })),
        }),
        detail: {
          ...describe(
            'The page that a program of a telephone leaves its browser at after a ceremony there; it holds no credential',
            'endPasskeyCeremony',
          ),
          responses: { 200: { description: 'A page.', content: HTML } },
        },
      },
    )
}
