import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findPublicUser } from '../auth/account.ts'
import { User } from '../auth/auth.model.ts'
import { findUserByEmail } from '../auth/auth.queries.ts'
import { evictUserCredentials } from '../auth/credentials/authenticate.ts'
import { clientOriginOf } from '../auth/sign-in/create-session.ts'
import { type UserPatch, UserPatch as UserPatchBody, UserReplacement, userList } from '../auth/users/users.model.ts'
import { changeUserAsAdmin, listUserPage, setPlatformAdmin } from '../auth/users/users.ts'
import { loginAs, mailUsers, notifyUsers, recordAdminAction } from './administer-users.ts'
import {
  AdminAction,
  AdminAppointment,
  AdminCheck,
  DeliveryReport,
  LoginAs,
  LoginAsResult,
  NewEmail,
  NewNotification,
} from './users.model.ts'
import { listAdminActions } from './users.queries.ts'

const describe = tagOperations('Administration')
const ById = T.Object({ id: Id })

/** Routes for platform administrators and for their actions on users. */
export function admins(context: Context) {
  const { sql } = context
  const requireAdmin = async (id: string) => {
    const user = await findPublicUser(sql, id)
    if (!user?.isAdmin) throw notFound('An administrator with this id')
    return user
  }
  const change = async (adminId: string, id: string, body: UserPatch) => {
    await requireAdmin(id)
    return transaction(sql, async (tx: Tx) => {
      const changed = await changeUserAsAdmin(tx, context, id, body)
      await recordAdminAction(tx, adminId, 'person.changed', id)
      return { data: changed }
    })
  }
  return new Elysia({ name: 'admins', prefix: '/v1/admins' })
    .use(context.auth)
    .get('', ({ query }) => listUserPage(sql, query, { isAdmin: true }), {
      user: 'admin',
      query: userList.query,
      response: List(User),
      detail: describe('List platform administrators', 'listAdmins'),
    })
    .post(
      '',
      async (creation) => {
        const answer = await createOnce(context, creation, async (tx) => {
          const user = await findUserByEmail(tx, creation.body.email)
          if (!user) throw notFound('A person with this e-mail address')
          const made = await setPlatformAdmin(tx, user.id, { isAdmin: true })
          await recordAdminAction(tx, creation.person.id, 'admin.appointed', user.id)
          return { data: made }
        })
        await evictUserCredentials(context.shared, answer.data.id)
        return answer
      },
      {
        user: 'admin',
        body: AdminAppointment,
        response: { 201: Data(User) },
        detail: describe('Make a user a platform administrator', 'createAdmin'),
      },
    )
    .get('/check', ({ person }) => ({ data: { isAdmin: person.isAdmin } }), {
      user: true,
      response: Data(AdminCheck),
      detail: describe('Check if you are a platform administrator', 'checkAdmin'),
    })
    .get('/actions', ({ query }) => readKeysetPage(query, (before, take) => listAdminActions(sql, before, take)), {
      user: 'admin',
      query: T.Object(pageQuery),
      response: List(AdminAction),
      detail: describe('List the actions of administrators on users, newest first', 'listAdminActions'),
    })
    .post(
      '/login-as',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await loginAs(context, tx, creation.person.id, creation.body, clientOriginOf(creation)),
        })),
      {
        user: 'admin',
        body: LoginAs,
        response: { 201: Data(LoginAsResult) },
        detail: describe(
          'Sign in as a user for half an hour; the user is informed with the reason, and sees the session in their list',
          'loginAs',
        ),
      },
    )
    .post(
      '/send-email',
      async ({ person, body, set }) => {
        set.status = 202
        return { data: await mailUsers(context, person.id, body) }
      },
      { user: 'admin', body: NewEmail, response: { 202: Data(DeliveryReport) }, detail: describe('Mail users', 'sendEmail') },
    )
    .post('/send-notification', async ({ person, body }) => ({ data: await notifyUsers(context, person.id, body) }), {
      user: 'admin',
      body: NewNotification,
      response: Data(DeliveryReport),
      detail: describe('Send users a notification, which GET /v1/me/notifications lists', 'sendNotification'),
    })
    .get('/:id', async ({ params }) => ({ data: await requireAdmin(params.id) }), {
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
          await setPlatformAdmin(tx, params.id, { isAdmin: false })
          await recordAdminAction(tx, person.id, 'admin.dismissed', params.id)
        })
        await evictUserCredentials(context.shared, params.id)
        set.status = 204
      },
      {
        user: 'admin',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Remove the administrator role; the last administrator cannot be removed', 'deleteAdmin'),
      },
    )
}
