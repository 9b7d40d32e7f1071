import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../http/errors/errors.ts'
import { createOnce } from '../../http/idempotency.ts'
import { page } from '../../http/resource/page.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { findPerson } from '../auth/account.ts'
import { User } from '../auth/auth.model.ts'
import { findUserByEmail } from '../auth/auth.queries.ts'
import { forgetPerson } from '../auth/credentials/authenticate.ts'
import { originOf } from '../auth/sign-in/open-session.ts'
import { type UserPatch, UserPatch as UserPatchBody, UserReplacement, userList } from '../auth/users/users.model.ts'
import { appoint, changePerson, listPeople } from '../auth/users/users.ts'
import { loginAs, mailPeople, noteAction, notifyPeople } from './administer-users.ts'
import { AdminAction, AdminCheck, Appointment, LoggedInAs, LoginAs, NewEmail, NewNotification, Reached } from './users.model.ts'
import { listActions } from './users.queries.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Administration'], summary, operationId })
const ById = T.Object({ id: Id })

/** Who administers the platform, and what they do to people. */
export function admins(context: Context) {
  const { sql } = context
  const open = async (id: string) => {
    const user = await findPerson(sql, id)
    if (!user?.isAdmin) throw notFound('An administrator with this id')
    return user
  }
  const change = async (adminId: string, id: string, body: UserPatch) => {
    await open(id)
    return transaction(sql, async (tx: Tx) => {
      const changed = await changePerson(tx, context, id, body)
      await noteAction(tx, adminId, 'person.changed', id)
      return { data: changed }
    })
  }
  return new Elysia({ name: 'admins', prefix: '/v1/admins' })
    .use(context.auth)
    .get('', ({ query }) => listPeople(sql, query, { isAdmin: true }), {
      user: 'admin',
      query: userList.query,
      response: List(User),
      detail: describe('List administrators of the platform', 'listAdmins'),
    })
    .post(
      '',
      async (creation) => {
        const answer = await createOnce(context, creation, async (tx) => {
          const user = await findUserByEmail(tx, creation.body.email)
          if (!user) throw notFound('A person with this e-mail address')
          const made = await appoint(tx, user.id, true)
          await noteAction(tx, creation.person.id, 'admin.appointed', user.id)
          return { data: made }
        })
        await forgetPerson(context.shared, answer.data.id)
        return answer
      },
      {
        user: 'admin',
        body: Appointment,
        response: { 201: Data(User) },
        detail: describe('Make a person an administrator of the platform', 'createAdmin'),
      },
    )
    .get('/check', ({ person }) => ({ data: { isAdmin: person.isAdmin } }), {
      user: true,
      response: Data(AdminCheck),
      detail: describe('Whether you administer the platform', 'checkAdmin'),
    })
    .get('/actions', ({ query }) => page(query, (before, take) => listActions(sql, before, take)), {
      user: 'admin',
      query: T.Object(pageQuery),
      response: List(AdminAction),
      detail: describe('What administrators did to people, newest first', 'listAdminActions'),
    })
    .post(
      '/login-as',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await loginAs(context, tx, creation.person.id, creation.body, originOf(creation)),
        })),
      {
        user: 'admin',
        body: LoginAs,
        response: { 201: Data(LoggedInAs) },
        detail: describe('Sign in as a person for half an hour; he is told, with the reason, and sees the session among his', 'loginAs'),
      },
    )
    .post(
      '/send-email',
      async ({ person, body, set }) => {
        set.status = 202
        return { data: await mailPeople(context, person.id, body) }
      },
      { user: 'admin', body: NewEmail, response: { 202: Data(Reached) }, detail: describe('Write to people by mail', 'sendEmail') },
    )
    .post('/send-notification', async ({ person, body }) => ({ data: await notifyPeople(context, person.id, body) }), {
      user: 'admin',
      body: NewNotification,
      response: Data(Reached),
      detail: describe('Tell people something within: GET /v1/me/notifications', 'sendNotification'),
    })
    .get('/:id', async ({ params }) => ({ data: await open(params.id) }), {
      user: 'admin',
      params: ById,
      response: Data(User),
      detail: describe('Read an administrator', 'readAdmin'),
    })
    .put('/:id', ({ person, params, body }) => change(person.id, params.id, body), {
      user: 'admin',
      params: ById,
      body: UserReplacement,
      response: Data(User),
      detail: describe('Replace the name and the e-mail address of an administrator', 'replaceAdmin'),
    })
    .patch('/:id', ({ person, params, body }) => change(person.id, params.id, body), {
      user: 'admin',
      params: ById,
      body: UserPatchBody,
      response: Data(User),
      detail: describe('Change the name or the e-mail address of an administrator', 'changeAdmin'),
    })
    .delete(
      '/:id',
      async ({ person, params, set }) => {
        await transaction(sql, async (tx) => {
          await appoint(tx, params.id, false)
          await noteAction(tx, person.id, 'admin.dismissed', params.id)
        })
        await forgetPerson(context.shared, params.id)
        set.status = 204
      },
      {
        user: 'admin',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Make an administrator one no longer; the last stays one', 'deleteAdmin'),
      },
    )
}
