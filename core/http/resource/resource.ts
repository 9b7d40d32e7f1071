import { Type as T, type TObject, type TSchema } from '@sinclair/typebox'
import { type AnyElysia, t } from 'elysia'
import type { Context } from '../../context.ts'
import { PLATFORM_PROJECT_ID } from '../../data/project-ids.ts'
import { transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { createOnce } from '../idempotency.ts'
import { mountRoutes, type Route } from '../route.ts'
import { Data, Id, List } from '../schema.ts'
import { defineList, readList } from './list.ts'
import { type Owner, ownershipOf, type StoreGuard } from './ownership.ts'
import { present, type Resource, shapeOf, type Verb } from './resource.model.ts'
import {
  assertWithin,
  findItem,
  firstColumns,
  keyOf,
  paramOf,
  pathOf,
  type ResourceState,
  sharedProperties,
  sqlOf,
  storeIdOf,
} from './resource-state.ts'
import { deleteRow, findRow, insertRow, listRows, type Row, type RowListOptions } from './rows.queries.ts'
import { assertDecimals, prepare, readLocked, updateItem, withDefaults } from './write-row.ts'

export type { Owner, StoreGuard } from './ownership.ts'
export type { Change, Resource, Written } from './resource.model.ts'

/** Builds the CRUD routes of one table. A function as `owner` is the guard of stores. Routes beyond CRUD belong in a routes file. */
export function resourceRoutes<const F extends TObject>(context: Context, owner: Owner | StoreGuard, definition: Resource<F>): AnyElysia {
  const { name, access, publicView: shown, table, path, verbs } = definition as Resource
  const ownership = ownershipOf(typeof owner === 'function' ? { of: 'store', guard: owner } : owner, { name, access, shown })
  const shape = shapeOf(definition as Resource, ownership)
  const state: ResourceState = { context, definition: definition as Resource, ownership, shape }
  return mountRoutes(
    context.auth,
    `resource:${table}`,
    path,
    verbs.map((verb) => routes[verb](state)),
  )
}

const routes: Readonly<Record<Verb, (state: ResourceState) => Route>> = {
  list: (state) => {
    const { ownership, shape, definition } = state
    const {
      publicView: shown,
      search,
      filters = [],
      caseInsensitive: caseless = [],
      sorts = [],
      fields,
      plural = `${definition.name}s`,
    } = definition
    const list = defineList({
      sorts: Object.fromEntries(sorts.map((key) => [key, key])),
      filters: Object.fromEntries(filters.map((key) => [key, toQuerySchema(fields.properties[key])])),
      ...(search !== undefined && { search: `part of the ${search}; one or two letters match the start of a word` }),
      ...(ownership.field === 'storeId' && { extraParameters: { storeId: T.Optional(Id) } }),
    })
    const byStore = ownership.field === 'storeId' ? ' of a store' : ''
    return {
      ...sharedProperties(state, 'list', `List ${plural}${byStore}`),
      query: list.query,
      response: List(shape.brief),
      async handle(ask) {
        await assertWithin(state, ask)
        const { where, isComplete: whole } = await ownership.list(ask.caller, storeIdOf(ask.query))
        const page = await readList(sqlOf(state), list, ask.query, (reader, { filter, q, page: slice }) =>
          listRows(reader, brief(state), {
            where: [...where, ...pathOf(state, ask)],
            filter: filter as RowListOptions['filter'],
            caseInsensitive: caseless,
            search: search !== undefined && q !== undefined ? { column: search, text: q } : null,
            page: slice,
          }),
        )
        return { ...page, data: page.data.map((row) => present(row as Row, shape, whole ? [] : shown?.without)) }
      },
    }
  },

  create: (state) => ({
    ...sharedProperties(state, 'create', `Create a ${state.definition.name}`),
    body: state.shape.bodies.create,
    response: { 201: Data(state.shape.whole) },
    async handle(ask) {
      const { definition, ownership, shape } = state
      const { storeId, ...body } = ask.body
      assertDecimals(state, body)
      const owner = await ownership.create(ask.caller, storeId as string | null | undefined)
      await assertWithin(state, ask)
      return createOnce(state.context, ask, async (tx) => {
        const values = {
          ...withDefaults(state, body),
          ...firstColumns(state, ask),
          ...definition.deriveValues?.(body),
          ...(ownership.isOwned && { projectId: owner?.projectId ?? PLATFORM_PROJECT_ID }),
          id: newId(definition.prefix),
        }
        const prepared = await prepare(state, tx, { verb: 'create', owner, row: null, values })
        const row = present(await insertRow(tx, shape.table, prepared), shape)
        await definition.onWritten?.(tx, { verb: 'create', owner, before: null, after: row })
        return { data: row }
      })
    },
  }),

  read: (state) => {
    const { definition, ownership, shape } = state
    const { slug, publicView: shown } = definition
    const answer = (row: Row, { all }: { readonly all: boolean }) => ({ data: present(row, shape, all ? [] : shown?.without) })
    const route = { ...sharedProperties(state, 'read', `Read a ${definition.name}`), response: Data(shape.read) }
    if (slug === undefined)
      return {
        ...route,
        path: `/:${paramOf(state)}`,
        async handle(ask) {
          const row = await findItem(state, ask)
          return answer(row, { all: await ownership.read(ask.caller, row) })
        },
      }
    return {
      ...route,
      query: T.Object({ storeId: T.Optional(Id) }),
      async handle(ask) {
        const key = ask.params[paramOf(state)] ?? ''
        const visible = await ownership.list(ask.caller, storeIdOf(ask.query))
        const row = await findRow(sqlOf(state), shape.table, [...visible.where, [{ [slug]: key }, { id: key }]])
        if (!row) throw notFound(`The ${definition.name}`)
        return answer(row, { all: visible.isComplete })
      },
    }
  },

  replace: (state) => ({
    ...sharedProperties(state, 'replace', `Replace a ${state.definition.name}`),
    body: state.shape.bodies.replace,
    response: Data(state.shape.whole),
    handle: (ask) => updateItem(state, ask, 'replace', withDefaults(state, ask.body)),
  }),

  patch: (state) => ({
    ...sharedProperties(state, 'patch', `Change a ${state.definition.name}`),
    body: state.shape.bodies.patch,
    response: Data(state.shape.whole),
    handle: (ask) => updateItem(state, ask, 'patch', ask.body),
  }),

  remove: (state) => ({
    ...sharedProperties(state, 'remove', `Delete a ${state.definition.name}`),
    response: { 204: T.Void() },
    async handle(ask) {
      const { definition, ownership, shape } = state
      const row = await findItem(state, ask)
      const owner = await ownership.write(ask.caller, row, 'remove')
      await transaction(sqlOf(state), async (tx) => {
        await prepare(state, tx, { verb: 'remove', owner, row, values: {} })
        const before = await readLocked(state, tx, row)
        if (!(await deleteRow(tx, shape.table, keyOf(state, row)))) throw notFound(`The ${definition.name}`)
        await definition.onWritten?.(tx, { verb: 'remove', owner, before, after: null })
      })
      ask.set.status = 204
    },
  }),
}

/** Adapts a schema to query parameters, whose values arrive as text. */
function toQuerySchema(schema: TSchema = T.String()): TSchema {
  const { minimum, maximum, type, anyOf } = schema as { minimum?: number; maximum?: number; type?: string; anyOf?: TSchema[] }
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
  if (type === 'integer') return t.Integer(bounds)
  if (type === 'boolean') return t.Boolean()
  const value = anyOf?.find((member) => member.type !== 'null')
  return anyOf?.some((member) => member.type === 'null') && value ? toQuerySchema(value) : schema
}

const brief = ({ shape, definition: { longFields: long = [] } }: ResourceState) => ({
  ...shape.table,
  columns: shape.table.columns.filter((column) => !long.includes(column)),
})
