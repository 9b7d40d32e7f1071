import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../../http/schema.ts'
import { Member, MemberChange, NewMember } from './members.model.ts'
import { listMembers } from './members.queries.ts'
import { addMember, changeMember, leaveStore, MANAGE_MEMBERS, readMembership, removeMember } from './members.ts'

const describe = tagOperations('Stores')
const ById = T.Object({ storeId: Id })
const ByMember = T.Object({ storeId: Id, userId: Id })

/** Routes of the members of a store. */
export const members = (context: Context) =>
  new Elysia({ name: 'members', prefix: '/v1/stores/:storeId/members' })
    .use(context.authority)
    .get(
      '',
      ({ store, query }) =>
        readKeysetPage(
          query,
          (after, take) => listMembers(context.sql, store.id, after, take),
          ({ userId }) => userId,
        ),
      {
        member: ['agent', 'members:read'],
        params: ById,
        query: T.Object(pageQuery),
        response: List(Member),
        detail: describe('List the members of a store, oldest first', 'listMembers'),
      },
    )
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await addMember(context, tx, creation.store, creation.person, creation.body),
        })),
      {
        member: MANAGE_MEMBERS,
        params: ById,
        body: NewMember,
        response: { 201: Data(Member) },
        detail: describe('Add a member', 'addMember'),
      },
    )
    .get('/me', async ({ person, params }) => ({ data: await readMembership(context, params.storeId, person.id) }), {
      user: true,
      params: ById,
      response: Data(Member),
      detail: describe('Read your own membership of a store', 'readMembership'),
    })
    .delete(
      '/me',
      async ({ person, params, set }) => {
        await leaveStore(context, params.storeId, person.id)
        set.status = 204
      },
      {
        user: true,
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Leave a store; its owner transfers it to another member first', 'leaveStore'),
      },
    )
    .put(
      '/:userId',
      async ({ store, person, params, body }) => ({ data: await changeMember(context, store, person, params.userId, body) }),
      {
        member: MANAGE_MEMBERS,
        params: ByMember,
        body: MemberChange,
        response: Data(Member),
        detail: describe(
          "Change a member's role and permissions with immediate effect, or transfer the store to this member",
          'changeMember',
        ),
      },
    )
    .delete(
      '/:userId',
      async ({ store, person, params, set }) => {
        await removeMember(context, store, person, params.userId)
        set.status = 204
      },
      { member: MANAGE_MEMBERS, params: ByMember, response: { 204: T.Void() }, detail: describe('Remove a member', 'removeMember') },
    )
