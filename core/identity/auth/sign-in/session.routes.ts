import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { assertDirectUser } from '../../../http/auth/principal.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { preferredLanguage } from '../../../http/pages/language.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { SessionToken, SignIn, SignInResult, SignUp, User, UserChange } from '../auth.model.ts'
import { findUser, listSessions } from '../auth.queries.ts'
import { hashNewPassword } from '../passwords/new-password.ts'
import { clientOriginOf } from './create-session.ts'
import { deviceOf, maskNetwork } from './device.ts'
import { changeUser, endCallerSessions, presentUser, signIn, signOut, signUp } from './sign-in.ts'

const describe = tagOperations('Users')

/** Routes to sign up, sign in and sign out, for the own account, and for the list of sessions. */
export const session = (context: Context) =>
  new Elysia({ name: 'session', prefix: '/v1/users/auth' })
    .use(context.auth)
    .post(
      '/signup',
      async (creation) => {
        const [passwordHash, language] = [
          await hashNewPassword(creation.body.password, creation.body.email),
          preferredLanguage(creation.request) ?? null,
        ]
        return createOnce(context, { ...creation, caller: null }, async (tx) => ({
          data: await signUp(tx, context, creation.body, { passwordHash, language }, clientOriginOf(creation)),
        }))
      },
      {
        open: true,
        body: SignUp,
        response: { 201: Data(SignInResult) },
        detail: describe('Sign up; the first user administers the platform', 'signUp'),
      },
    )
    .post('/signin', async ({ body, ...request }) => ({ data: await signIn(context, body, clientOriginOf(request)) }), {
      open: true,
      body: SignIn,
      response: Data(SignInResult),
      detail: describe('Sign in', 'signIn'),
    })
    .post(
      '/signout',
      async ({ caller, person, set }) => {
        await signOut(context, person.id, caller.credentialId)
        set.status = 204
      },
      { user: true, response: { 204: T.Void() }, detail: describe('Sign out: the token of this request stops working', 'signOut') },
    )
    .get(
      '',
      async ({ person }) => {
        const user = await findUser(context.sql, person.id)
        if (!user) throw notFound('The user')
        return { data: presentUser(user) }
      },
      { user: true, response: Data(User), detail: describe('Read your account', 'readMe') },
    )
    .put(
      '',
      async ({ caller, person, body, address }) => {
        const session = { id: caller.credentialId, userId: person.id }
        return { data: await changeUser(context, session, body, address) }
      },
      {
        user: 'direct',
        body: UserChange,
        response: Data(User),
        detail: describe('Change name, e-mail address, password, or the language of mails', 'changeMe'),
      },
    )
    .get(
      '/tokens',
      ({ caller, person, query }) =>
        readKeysetPage(query, async (before, take) =>
          (await listSessions(context.sql, person.id, before, take)).map(({ network, ...row }) => ({
            ...row,
            device: deviceOf(row.userAgent),
            place: maskNetwork(network),
            current: row.id === caller.credentialId,
          })),
        ),
      {
        user: true,
        query: T.Object(pageQuery),
        response: List(SessionToken),
        detail: describe('List your sessions, newest first', 'listTokens'),
      },
    )
    .delete(
      '/tokens/:identifier',
      async ({ caller, person, params, set }) => {
        if (params.identifier !== caller.credentialId) assertDirectUser(person)
        if (!(await signOut(context, person.id, params.identifier))) throw notFound('The session')
        set.status = 204
      },
      { user: true, params: T.Object({ identifier: Id }), response: { 204: T.Void() }, detail: describe('End one session', 'revokeToken') },
    )
    .post(
      '/tokens/revoke-all',
      async ({ caller, person }) => ({ data: { revoked: await endCallerSessions(context, person, caller.credentialId) } }),
      {
        user: true,
        response: Data(T.Object({ revoked: T.Integer() })),
        detail: describe(
          'End all sessions, including this one; an administrator who acts in your name ends only this one',
          'revokeAllTokens',
        ),
      },
    )
