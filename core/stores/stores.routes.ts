import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { notFound } from '../http/errors.ts'
import { createOnce } from '../http/idempotency.ts'
import { page } from '../http/page.ts'
import { Data, Id, List, pageQuery } from '../http/schema.ts'
import { Project } from '../projects/projects.model.ts'
import { findProject } from '../projects/projects.queries.ts'
import { accessStore } from './access.ts'
import { Member, MemberChange, NewMember, NewStore, Store, StoreChange } from './stores.model.ts'
import { changeRole, deleteMember, findStoreOfProject, listStoresOfUser, markDeleted } from './stores.queries.ts'
import { addMember, changeStore, createStore } from './stores.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Stores'], summary, operationId })
const ById = T.Object({ storeId: Id })
const ByMember = T.Object({ storeId: Id, userId: Id })

/** Stores, the project behind each, and their members. */
export const stores = (context: Context) =>
  new Elysia({ name: 'stores', prefix: '/v1/stores' })
    .use(context.auth)
    .get(
      '',
      ({ caller, query }) =>
        page(query, async (before, take) => {
          if (caller.kind === 'user') return listStoresOfUser(context.sql, caller.userId, before, take)
          const store = await findStoreOfProject(context.sql, caller.projectId)
          return store && before === null ? [store] : []
        }),
      {
        access: 'stores:read',
        query: T.Object(pageQuery),
        response: List(Store),
        detail: describe('The stores that you are a member of', 'listStores'),
      },
    )
    .post(
      '',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await createStore(tx, creation.caller.userId, creation.body) })),
      { user: true, body: NewStore, response: { 201: Data(Store) }, detail: describe('Create a store', 'createStore') },
    )
    .get('/:storeId', async ({ caller, params }) => ({ data: await accessStore(context, caller, params.storeId, 'viewer') }), {
      access: 'stores:read',
      params: ById,
      response: Data(Store),
      detail: describe('Read a store', 'readStore'),
    })
    .put(
      '/:storeId',
      async ({ caller, params, body }) => {
        await accessStore(context, caller, params.storeId, 'admin')
        const whole = { phone: null, email: null, address: null, settings: {}, metadata: {}, ...body }
        return { data: await transaction(context.sql, (tx) => changeStore(tx, params.storeId, whole)) }
      },
      {
        access: 'stores:write',
        params: ById,
        body: T.Composite([T.Required(T.Pick(StoreChange, ['name'])), T.Omit(StoreChange, ['name'])], { additionalProperties: false }),
        response: Data(Store),
        detail: describe('Replace the details of a store', 'replaceStore'),
      },
    )
    .patch(
      '/:storeId',
      async ({ caller, params, body }) => {
        await accessStore(context, caller, params.storeId, 'admin')
        return { data: await transaction(context.sql, (tx) => changeStore(tx, params.storeId, body)) }
      },
      {
        access: 'stores:write',
        params: ById,
        body: StoreChange,
        response: Data(Store),
        detail: describe('Change details of a store', 'changeStore'),
      },
    )
    .delete(
      '/:storeId',
      async ({ caller, params, set }) => {
        await accessStore(context, caller, params.storeId, 'owner')
        await markDeleted(context.sql, params.storeId)
        set.status = 204
      },
      {
        user: true,
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a store; its orders and parcels are kept', 'deleteStore'),
      },
    )
    .post(
      '/:storeId/ensure-project',
      async ({ caller, params }) => {
        const store = await accessStore(context, caller, params.storeId, 'admin')
        return { data: (await findProject(context.sql, store.projectId))! }
      },
      {
        user: true,
        params: ById,
        response: Data(Project),
        detail: describe('The project behind the store: the same one every time', 'ensureProject'),
      },
    )
    .post(
      '/:storeId/members',
      async (creation) => {
        await accessStore(context, creation.caller, creation.params.storeId, 'admin')
        return createOnce(context, creation, async (tx) => ({ data: await addMember(tx, creation.params.storeId, creation.body) }))
      },
      {
        user: true,
        params: ById,
        body: NewMember,
        response: { 201: Data(Member) },
        detail: describe('Make a person a member', 'addMember'),
      },
    )
    .put(
      '/:storeId/members/:userId',
      async ({ caller, params, body }) => {
        await accessStore(context, caller, params.storeId, 'admin')
        const member = await changeRole(context.sql, params.storeId, params.userId, body.role)
        if (!member) throw notFound('A member, other than the owner, with this id')
        return { data: member }
      },
      {
        user: true,
        params: ByMember,
        body: MemberChange,
        response: Data(Member),
        detail: describe("Change a member's role", 'changeMember'),
      },
    )
    .delete(
      '/:storeId/members/:userId',
      async ({ caller, params, set }) => {
        await accessStore(context, caller, params.storeId, 'admin')
        if (!(await deleteMember(context.sql, params.storeId, params.userId)))
          throw notFound('A member, other than the owner, with this id')
        set.status = 204
      },
      { user: true, params: ByMember, response: { 204: T.Void() }, detail: describe('Remove a member', 'removeMember') },
    )
