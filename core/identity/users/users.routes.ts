import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findPublicUser } from '../auth/account.ts'
import { User } from '../auth/auth.model.ts'
import { NewUser, type UserPatch, UserPatch as UserPatchBody, UserReplacement, userList } from '../auth/users/users.model.ts'
import { changeUserAsAdmin, createUser, deleteUser, hashInitialPassword, listUserPage } from '../auth/users/users.ts'
import { recordAdminAction } from './administer-users.ts'

const describe = tagOperations('Administration')
const ById = T.Object({ id: Id })

/** Routes by which platform administrators manage users. */
export function users(context: Context) {
  const { sql } = context
  const change = (adminId: string, id: string, body: UserPatch) =>
    transaction(sql, async (tx: Tx) => {
      const changed = await changeUserAsAdmin(tx, context, id, body)
      await recordAdminAction(tx, adminId, 'person.changed', id)
      return { data: changed }
    })
  return new Elysia({ name: 'users', prefix: '/v1/users' })
    .use(context.auth)
    .get('', ({ query }) => listUserPage(sql, query), {
      user: 'admin',
      query: userList.query,
      response: List(User),
      detail: describe('List users', 'listUsers'),
    })
    .post(
      '',
      async (creation) => {
        const passwordHash = await hashInitialPassword(creation.body)
        return createOnce(context, creation, async (tx) => {
          const made = await createUser(tx, creation.body, passwordHash, { isMade: creation.body.password === undefined })
          await recordAdminAction(tx, creation.person.id, 'person.created', made.id)
          return { data: made }
        })
      },
      { user: 'admin', body: NewUser, response: { 201: Data(User) }, detail: describe('Create a user', 'createUser') },
    )
    .get(
      '/:id',
      async ({ params }) => {
        const user = await findPublicUser(sql, params.id)
        if (!user) throw notFound('The person')
        return { data: user }
      },
      { user: 'admin', params: ById, response: Data(User), detail: describe('Read a user', 'readUser') },
    )
    .put('/:id', ({ person, params, body }) => change(person.id, params.id, body), {
      user: 'admin',
      params: ById,
      body: UserReplacement,
      response: Data(User),
      detail: describe('Replace the name and the e-mail address of a user', 'replaceUser'),
    })
    .patch('/:id', ({ person, params, body }) => change(person.id, params.id, body), {
      user: 'admin',
      params: ById,
      body: UserPatchBody,
      response: Data(User),
      detail: describe('Change the name or the e-mail address of a user', 'changeUser'),
    })
    .delete(
      '/:id',
      async ({ person, params, set }) => {
        await deleteUser(context, params.id, (tx) => recordAdminAction(tx, person.id, 'person.deleted', params.id).then(() => {}))
        set.status = 204
      },
      {
        user: 'admin',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a user who owns no tenant and no store; records of their actions stay, without their name', 'deleteUser'),
      },
    )
}
