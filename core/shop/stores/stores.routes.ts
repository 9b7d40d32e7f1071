import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { Project } from '../../identity/tenants/projects.model.ts'
import { findProject } from '../../identity/tenants/projects.queries.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { listAccessibleStores } from './access.ts'
import { NewStore, Store, StoreChange, StoreReplacement } from './stores.model.ts'
import { changeStore, createStore, deleteStore, replaceStore } from './stores.ts'

const describe = tagOperations('Stores')
const ById = T.Object({ storeId: Id })

/** Routes of stores, and of the project behind each. */
export const stores = (context: Context) =>
  new Elysia({ name: 'stores', prefix: '/v1/stores' })
    .use(context.authority)
    .get('', ({ caller, query }) => readKeysetPage(query, (before, take) => listAccessibleStores(context, caller, before, take)), {
      access: 'stores:read',
      query: T.Object(pageQuery),
      response: List(Store),
      detail: describe('List the stores that you are a member of', 'listStores'),
    })
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({ data: await createStore(context, tx, creation.person.id, creation.body) })),
      { user: true, body: NewStore, response: { 201: Data(Store) }, detail: describe('Create a store', 'createStore') },
    )
    .get('/:storeId', ({ store }) => ({ data: store }), {
      store: ['viewer', 'stores:read'],
      params: ById,
      response: Data(Store),
      detail: describe('Read a store', 'readStore'),
    })
    .put(
      '/:storeId',
      async ({ store, body }) => {
        const whole = { phone: null, email: null, address: null, settings: {}, metadata: {}, ...body }
        return { data: await transaction(context.sql, (tx) => replaceStore(tx, store.id, whole)) }
      },
      {
        store: ['admin', 'stores:write'],
        params: ById,
        body: StoreReplacement,
        response: Data(Store),
        detail: describe('Replace the details of a store; its country and currency while it has no orders', 'replaceStore'),
      },
    )
    .patch('/:storeId', async ({ store, body }) => ({ data: await transaction(context.sql, (tx) => changeStore(tx, store.id, body)) }), {
      store: ['admin', 'stores:write'],
      params: ById,
      body: StoreChange,
      response: Data(Store),
      detail: describe('Change details of a store', 'changeStore'),
    })
    .delete(
      '/:storeId',
      async ({ store, set }) => {
        await deleteStore(context, store)
        set.status = 204
      },
      {
        member: 'owner',
        params: ById,
        response: { 204: T.Void() },
        detail: describe(
          'Delete a store without parcels in transit; its orders and parcels are kept, its API keys are revoked',
          'deleteStore',
        ),
      },
    )
    .post(
      '/:storeId/ensure-project',
      async ({ store }) => {
        const project = await findProject(context.sql, store.projectId)
        if (!project) throw notFound('The project')
        return { data: project }
      },
      {
        member: 'admin',
        params: ById,
        response: Data(Project),
        detail: describe('Read the project behind the store; always the same one', 'ensureProject'),
      },
    )
