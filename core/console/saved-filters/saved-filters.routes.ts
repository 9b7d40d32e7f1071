import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { NewSavedFilter, PageKey, SavedFilter, SavedFilterChange } from './saved-filters.model.ts'
import { changeFilter, readSavedFilters, removeFilter, saveFilter } from './saved-filters.ts'

const describe = tagOperations('Stores')
const ById = T.Object({ storeId: Id })
const ByFilter = T.Object({ storeId: Id, filterId: Id })

/** Routes of the filters that members of a store saved. Every member may save filters of the lists that they may read. */
export const savedFilters = (context: Context) =>
  new Elysia({ name: 'saved-filters', prefix: '/v1/stores/:storeId/saved-filters' })
    .use(context.auth)
    .get('', ({ person, params, query }) => readSavedFilters(context, person, params.storeId, query), {
      user: true,
      params: ById,
      query: T.Object({ ...pageQuery, page: T.Optional(PageKey) }),
      response: List(SavedFilter),
      detail: describe('List your saved filters and those shared in the store, newest first', 'listSavedFilters'),
    })
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await saveFilter(tx, creation.person, creation.params.storeId, creation.body),
        })),
      {
        user: true,
        params: ById,
        body: NewSavedFilter,
        response: { 201: Data(SavedFilter) },
        detail: describe('Save a filter of a list, for yourself or for all members of the store', 'saveFilter'),
      },
    )
    .patch(
      '/:filterId',
      async ({ person, params: { storeId, filterId }, body }) => ({ data: await changeFilter(context, person, storeId, filterId, body) }),
      {
        user: true,
        params: ByFilter,
        body: SavedFilterChange,
        response: Data(SavedFilter),
        detail: describe('Change a saved filter; admins may change shared ones of others', 'changeSavedFilter'),
      },
    )
    .delete(
      '/:filterId',
      async ({ person, params: { storeId, filterId }, set }) => {
        await removeFilter(context, person, storeId, filterId)
        set.status = 204
      },
      {
        user: true,
        params: ByFilter,
        response: { 204: T.Void() },
        detail: describe('Delete a saved filter; admins may delete shared ones of others', 'deleteSavedFilter'),
      },
    )
