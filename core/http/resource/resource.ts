import { Type as T, type TObject, type TSchema } from '@sinclair/typebox'
import { type AnyElysia, t } from 'elysia'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { parseAmount } from '../body/amount.ts'
import { ApiError, notFound } from '../errors/errors.ts'
import { createOnce } from '../idempotency.ts'
import { mountRoutes, type Route, type RouteRequest } from '../route.ts'
import { Data, Id, List } from '../schema.ts'
import { defineList, readList } from './list.ts'
import { type Owner, type Ownership, ownershipOf, type StoreGuard } from './ownership.ts'
import { type Change, present, type Resource, type ResourceShape, shapeOf, type Verb } from './resource.model.ts'
import {
  type AnyOf,
  countRows,
  deleteRow,
  findRow,
  hasRow,
  insertRow,
  listRows,
  lockRowsOf,
  type Row,
  type RowListOptions,
  updateRow,
  type Values,
} from './rows.queries.ts'

export type { Owner, StoreGuard } from './ownership.ts'
export type { Change, Resource, Written } from './resource.model.ts'

/** Shared state of a resource's handlers. */
interface ResourceState {
  readonly context: Context
  readonly definition: Resource
  readonly ownership: Ownership
  readonly shape: ResourceShape
}

/** Builds the CRUD routes of one table. A function as `owner` is the guard of stores. Routes beyond CRUD belong in a routes file. */
export function resourceRoutes<const F extends TObject>(context: Context, owner: Owner | StoreGuard, definition: Resource<F>): AnyElysia {
  const { name, access, publicView: shown, table, path, verbs } = definition as Resource
  const ownership = ownershipOf(typeof owner === 'function' ? { of: 'store', guard: owner } : owner, { name, access, shown })
  const shape = shapeOf(definition as Resource, ownership.column, ownership.isOptional)
  const made: ResourceState = { context, definition: definition as Resource, ownership, shape }
  return mountRoutes(
    context.auth,
    `resource:${table}`,
    path,
    verbs.map((verb) => routes[verb](made)),
  )
}

const routes: Readonly<Record<Verb, (made: ResourceState) => Route>> = {
  list: (made) => {
    const { ownership, shape, definition } = made
    const {
      publicView: shown,
      search,
      filters = [],
      caseInsensitive: caseless = [],
      sorts = [],
      fields,
      plural = `${definition.name}s`,
    } = definition
    const asked = defineList({
      sorts: Object.fromEntries(sorts.map((key) => [key, key])),
      filters: Object.fromEntries(filters.map((key) => [key, toQuerySchema(fields.properties[key])])),
      ...(search !== undefined && { search: `part of the ${search}; one or two letters match the start of a word` }),
      ...(ownership.column === 'storeId' && { extraParameters: { storeId: T.Optional(Id) } }),
    })
    const byStore = ownership.column === 'storeId' ? ' of a store' : ''
    return {
      ...sharedProperties(made, 'list', `List ${plural}${byStore}`),
      query: asked.query,
      response: List(shape.brief),
      async handle(ask) {
        await assertWithin(made, ask)
        const { where, isComplete: whole } = await ownership.list(ask.caller, storeIdOf(ask.query))
        const page = await readList(sqlOf(made), asked, ask.query, (reader, { filter, q, page: slice }) =>
          listRows(reader, brief(made), {
            where: [...where, ...pathOf(made, ask)],
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

  create: (made) => ({
    ...sharedProperties(made, 'create', `Create a ${made.definition.name}`),
    body: made.shape.bodies.create,
    response: { 201: Data(made.shape.whole) },
    async handle(ask) {
      const { definition, ownership, shape } = made
      const { storeId, ...body } = ask.body
      assertDecimals(made, body)
      const owner = await ownership.create(ask.caller, storeId as string | null | undefined)
      await assertWithin(made, ask)
      return createOnce(made.context, ask, async (tx) => {
        const values = {
          ...withDefaults(made, body),
          ...firstColumns(made, ask),
          ...definition.deriveValues?.(body),
          ...(ownership.column !== null && { [ownership.column]: owner?.id ?? null }),
          id: newId(definition.prefix),
        }
        const kept = await prepare(made, tx, { verb: 'create', ownerId: owner?.id ?? null, row: null, values })
        const row = present(await insertRow(tx, shape.table, kept), shape)
        await definition.onWritten?.(tx, { verb: 'create', owner, before: null, after: row })
        return { data: row }
      })
    },
  }),

  read: (made) => {
    const { definition, ownership, shape } = made
    const { slug, publicView: shown } = definition
    const answer = (row: Row, all: boolean) => ({ data: present(row, shape, all ? [] : shown?.without) })
    const route = { ...sharedProperties(made, 'read', `Read a ${definition.name}`), response: Data(shape.read) }
    if (slug === undefined)
      return {
        ...route,
        path: `/:${paramOf(made)}`,
        async handle(ask) {
          const row = await find(made, ask)
          return answer(row, await ownership.read(ask.caller, row))
        },
      }
    return {
      ...route,
      query: T.Object({ storeId: T.Optional(Id) }),
      async handle(ask) {
        const key = ask.params[paramOf(made)] ?? ''
        const sight = await ownership.list(ask.caller, storeIdOf(ask.query))
        const row = await findRow(sqlOf(made), shape.table, [...sight.where, [{ [slug]: key }, { id: key }]])
        if (!row) throw notFound(`The ${definition.name}`)
        return answer(row, sight.isComplete)
      },
    }
  },

  replace: (made) => ({
    ...sharedProperties(made, 'replace', `Replace a ${made.definition.name}`),
    body: made.shape.bodies.replace,
    response: Data(made.shape.whole),
    handle: (ask) => update(made, ask, 'replace', withDefaults(made, ask.body)),
  }),

  patch: (made) => ({
    ...sharedProperties(made, 'patch', `Change a ${made.definition.name}`),
    body: made.shape.bodies.patch,
    response: Data(made.shape.whole),
    handle: (ask) => update(made, ask, 'patch', ask.body),
  }),

  remove: (made) => ({
    ...sharedProperties(made, 'remove', `Delete a ${made.definition.name}`),
    response: { 204: T.Void() },
    async handle(ask) {
      const { definition, ownership, shape } = made
      const row = await find(made, ask)
      const owner = await ownership.write(ask.caller, row, 'remove')
      await transaction(sqlOf(made), async (tx) => {
        await prepare(made, tx, { verb: 'remove', ownerId: owner?.id ?? null, row, values: {} })
        const before = await readLocked(made, tx, row.id)
        if (!(await deleteRow(tx, shape.table, row.id))) throw notFound(`The ${definition.name}`)
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

const METHODS = { list: 'GET', create: 'POST', read: 'GET', replace: 'PUT', patch: 'PATCH', remove: 'DELETE' } as const

/** Builds the properties that all routes of a resource share. */
function sharedProperties(made: ResourceState, verb: Verb, summary: string) {
  const { definition, ownership } = made
  const { name, plural = `${name}s`, access: roles } = definition
  const isItem = verb !== 'list' && verb !== 'create'
  const isRead = verb === 'list' || verb === 'read'
  const rule = isRead ? ownership.rules.read : ownership.rules.write
  const role = isRead ? roles?.read : verb === 'remove' ? (roles?.remove ?? roles?.write) : roles?.write
  const params = paramsOf(made, isItem ? paramOf(made) : undefined)
  return {
    method: METHODS[verb],
    path: isItem ? `/:${paramOf(made)}` : '',
    access: rule,
    ...(Object.keys(params.properties).length > 0 && { params }),
    detail: {
      tags: [`${plural.charAt(0).toUpperCase()}${plural.slice(1)}`],
      summary,
      operationId: `${name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}.${verb}`,
      ...('access' in rule && role && { 'x-role': role }),
    },
  }
}

const sqlOf = ({ context: { sql } }: ResourceState) => sql
const paramOf = ({ definition }: ResourceState) => definition.item?.param ?? 'id'
const paramsOf = ({ definition }: ResourceState, item: string | undefined) =>
  T.Object(
    Object.fromEntries([...Object.keys(definition.parent?.params ?? {}), ...(item === undefined ? [] : [item])].map((name) => [name, Id])),
  )
const storeIdOf = ({ storeId }: RouteRequest['query']) => storeId as string | undefined
const brief = ({ shape, definition: { longFields: long = [] } }: ResourceState) => ({
  ...shape.table,
  columns: shape.table.columns.filter((column) => !long.includes(column)),
})

/** Builds the conditions of the parent resources in the path. */
const pathOf = ({ definition }: ResourceState, { params }: RouteRequest): AnyOf[] =>
  Object.entries(definition.parent?.params ?? {}).map(([param, { own }]) => own.map((column) => ({ [column]: params[param] ?? '' })))
const firstColumns = ({ definition }: ResourceState, { params }: RouteRequest): Values =>
  Object.fromEntries(Object.entries(definition.parent?.params ?? {}).map(([param, { own }]) => [own[0], params[param]]))

/** Throws `not_found` if the parent row in the path does not exist. */
async function assertWithin(made: ResourceState, { params }: RouteRequest): Promise<void> {
  const { parent: within } = made.definition
  if (!within) return
  const theirs = Object.entries(within.params).map(([param, { theirs: column }]) => [column, params[param] ?? ''])
  if (!(await hasRow(sqlOf(made), within.table, Object.fromEntries(theirs)))) throw notFound(`The ${within.name}`)
}

async function find(made: ResourceState, ask: RouteRequest): Promise<Row> {
  const { definition, shape } = made
  const key = ask.params[paramOf(made)] ?? ''
  const by = definition.item?.by
  const row = await findRow(sqlOf(made), shape.table, [
    ...pathOf(made, ask),
    by === undefined ? [{ id: key }] : [{ id: key }, { [by]: key }],
  ])
  if (!row) throw notFound(`The ${definition.name}`)
  return row
}

/** Completes the values of a creation or a replacement: missing fields get their default or null. */
const withDefaults = ({ shape, definition: { defaults } }: ResourceState, body: Values): Values => ({
  ...Object.fromEntries(shape.writable.map((column) => [column, null])),
  ...defaults,
  ...body,
})

async function update(made: ResourceState, ask: RouteRequest, verb: 'replace' | 'patch', values: Values): Promise<{ data: Row }> {
  const { definition, ownership, shape } = made
  const row = await find(made, ask)
  const owner = await ownership.write(ask.caller, row, 'change')
  assertDecimals(made, ask.body)
  return transaction(sqlOf(made), async (tx) => {
    const kept = await prepare(made, tx, { verb, ownerId: owner?.id ?? null, row, values })
    const before = await readLocked(made, tx, row.id)
    const changed = await updateRow(tx, shape.table, row.id, { ...kept, ...definition.deriveValues?.(values) })
    if (!changed) throw notFound(`The ${definition.name}`)
    const after = present(changed, shape)
    await definition.onWritten?.(tx, { verb, owner, before, after })
    return { data: after }
  })
}

/** Reads the row under the lock, if the resource reacts to writes. Null otherwise. */
async function readLocked({ definition, shape }: ResourceState, tx: Tx, id: string): Promise<Row | null> {
  if (!definition.onWritten) return null
  const row = await findRow(tx, shape.table, [[{ id }]])
  return row ? present(row, shape) : null
}

/**
 * Returns the values to store. Throws `conflict` if the owner has the maximum number of rows, and whatever the definition's check throws.
 * Then serializes the writes of one owner.
 */
async function prepare(made: ResourceState, tx: Tx, change: Change): Promise<Change['values']> {
  const { maxRows: most, check, normalize, onWritten: wrote, name, plural = `${name}s` } = made.definition
  const counts = most !== undefined && change.verb === 'create'
  if (!counts && !check && !normalize && !wrote) return change.values
  await lockRowsOf(tx, made.shape.table, change.ownerId)
  const { column } = made.ownership
  if (counts && (await countRows(tx, made.shape.table, column === null ? [] : [[{ [column]: change.ownerId }]])) >= most)
    throw new ApiError('conflict', `There are already ${most} ${plural}, which is the maximum. Delete one first.`)
  await check?.(tx, change)
  return { ...change.values, ...(await normalize?.(tx, change)) }
}

/** Throws if a value has more decimals than its column, which would round it silently. */
function assertDecimals({ shape, definition: { fields } }: ResourceState, values: Values): void {
  for (const column of shape.numeric) {
    const value = values[column]
    if (typeof value === 'number') parseAmount(value, `/body/${column}`, decimalsOf(fields.properties[column]))
  }
}

function decimalsOf(schema: TSchema = T.Number()): number {
  const schemas: readonly TSchema[] = [schema, ...((schema.anyOf as TSchema[] | undefined) ?? [])]
  return (schemas.find((each) => 'x-decimals' in each)?.['x-decimals'] as number | undefined) ?? 4
}
