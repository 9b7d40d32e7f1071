import { Type as T, type TObject, type TSchema } from '@sinclair/typebox'
import { type AnyElysia, t } from 'elysia'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { amount } from '../body/amount.ts'
import { ApiError, notFound } from '../errors/errors.ts'
import { createOnce } from '../idempotency.ts'
import { type Ask, mount, type Route } from '../route.ts'
import { Data, Id, List } from '../schema.ts'
import { list, listing } from './list.ts'
import { type Owner, type Ownership, ownershipOf, type StoreGuard } from './ownership.ts'
import { type Change, present, type Resource, type Shape, shapeOf, type Verb } from './resource.model.ts'
import {
  type AnyOf,
  countRows,
  deleteRow,
  findRow,
  hasRow,
  insertRow,
  type ListOf,
  listRows,
  lockRowsOf,
  type Row,
  updateRow,
  type Values,
} from './rows.queries.ts'

export type { Owner, StoreGuard } from './ownership.ts'
export type { Change, Resource, Verb, Written } from './resource.model.ts'

/** What the handlers of one resource stand on. */
interface Made {
  readonly context: Context
  readonly definition: Resource
  readonly ownership: Ownership
  readonly shape: Shape
}

/**
 * The routes of one plain table. A function for an owner is the guard of stores. What a table cannot say has a routes file of its own beside
 * it.
 */
export function resource<const F extends TObject>(context: Context, owner: Owner | StoreGuard, definition: Resource<F>): AnyElysia {
  const { name, access, shown, table, path, verbs } = definition as Resource
  const ownership = ownershipOf(typeof owner === 'function' ? { of: 'store', guard: owner } : owner, { name, access, shown })
  const shape = shapeOf(definition as Resource, ownership.column, ownership.optional)
  const made: Made = { context, definition: definition as Resource, ownership, shape }
  return mount(
    context.auth,
    `resource:${table}`,
    path,
    verbs.map((verb) => routes[verb](made)),
  )
}

const routes: Readonly<Record<Verb, (made: Made) => Route>> = {
  list: (made) => {
    const { ownership, shape, definition } = made
    const { shown, search, filters = [], caseless = [], sorts = [], fields, plural = `${definition.name}s` } = definition
    const asked = listing({
      sorts: Object.fromEntries(sorts.map((key) => [key, key])),
      filters: Object.fromEntries(filters.map((key) => [key, inQuery(fields.properties[key])])),
      ...(search !== undefined && { search: `part of the ${search}; one or two letters: how a word of it begins` }),
      ...(ownership.column === 'storeId' && { beside: { storeId: T.Optional(Id) } }),
    })
    const byStore = ownership.column === 'storeId' ? ' of a store' : ''
    return {
      ...common(made, 'list', `List ${plural}${byStore}`),
      query: asked.query,
      response: List(shape.brief),
      async handle(ask) {
        await assertWithin(made, ask)
        const { where, whole } = await ownership.list(ask.caller, storeIdOf(ask.query))
        const page = await list(sqlOf(made), asked, ask.query, (reader, { filter, q, slice }) =>
          listRows(reader, brief(made), {
            where: [...where, ...pathOf(made, ask)],
            filter: filter as ListOf['filter'],
            caseless,
            search: search !== undefined && q !== undefined ? { column: search, text: q } : null,
            slice,
          }),
        )
        return { ...page, data: page.data.map((row) => present(row as Row, shape, whole ? [] : shown?.without)) }
      },
    }
  },

  create: (made) => ({
    ...common(made, 'create', `Create a ${made.definition.name}`),
    body: made.shape.bodies.create,
    response: { 201: Data(made.shape.whole) },
    async handle(ask) {
      const { definition, ownership, shape } = made
      const { storeId, ...body } = ask.body
      refuseDecimals(made, body)
      const owner = await ownership.create(ask.caller, storeId as string | null | undefined)
      await assertWithin(made, ask)
      return createOnce(made.context, ask, async (tx) => {
        const values = {
          ...whole(made, body),
          ...firstColumns(made, ask),
          ...definition.stamps?.(body),
          ...(ownership.column !== null && { [ownership.column]: owner?.id ?? null }),
          id: newId(definition.prefix),
        }
        const kept = await prepare(made, tx, { verb: 'create', ownerId: owner?.id ?? null, row: null, values })
        const row = present(await insertRow(tx, shape.table, kept), shape)
        await definition.wrote?.(tx, { verb: 'create', owner, before: null, after: row })
        return { data: row }
      })
    },
  }),

  read: (made) => {
    const { definition, ownership, shape } = made
    const { slug, shown } = definition
    const answer = (row: Row, all: boolean) => ({ data: present(row, shape, all ? [] : shown?.without) })
    const route = { ...common(made, 'read', `Read a ${definition.name}`), response: Data(shape.read) }
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
        return answer(row, sight.whole)
      },
    }
  },

  replace: (made) => ({
    ...common(made, 'replace', `Replace a ${made.definition.name}`),
    body: made.shape.bodies.replace,
    response: Data(made.shape.whole),
    handle: (ask) => update(made, ask, 'replace', whole(made, ask.body)),
  }),

  patch: (made) => ({
    ...common(made, 'patch', `Change a ${made.definition.name}`),
    body: made.shape.bodies.patch,
    response: Data(made.shape.whole),
    handle: (ask) => update(made, ask, 'patch', ask.body),
  }),

  remove: (made) => ({
    ...common(made, 'remove', `Delete a ${made.definition.name}`),
    response: { 204: T.Void() },
    async handle(ask) {
      const { definition, ownership, shape } = made
      const row = await find(made, ask)
      const owner = await ownership.write(ask.caller, row, 'remove')
      await transaction(sqlOf(made), async (tx) => {
        await prepare(made, tx, { verb: 'remove', ownerId: owner?.id ?? null, row, values: {} })
        const before = await held(made, tx, row.id)
        if (!(await deleteRow(tx, shape.table, row.id))) throw notFound(`The ${definition.name}`)
        await definition.wrote?.(tx, { verb: 'remove', owner, before, after: null })
      })
      ask.set.status = 204
    },
  }),
}

/** Queries are text: what is no text is read as what it should be. */
function inQuery(schema: TSchema = T.String()): TSchema {
  const { minimum, maximum, type, anyOf } = schema as { minimum?: number; maximum?: number; type?: string; anyOf?: TSchema[] }
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
  if (type === 'integer') return t.Integer(bounds)
  if (type === 'boolean') return t.Boolean()
  const value = anyOf?.find((member) => member.type !== 'null')
  return anyOf?.some((member) => member.type === 'null') && value ? inQuery(value) : schema
}

const METHODS = { list: 'GET', create: 'POST', read: 'GET', replace: 'PUT', patch: 'PATCH', remove: 'DELETE' } as const

/** What all routes say of themselves. */
function common(made: Made, verb: Verb, summary: string) {
  const { definition, ownership } = made
  const { name, plural = `${name}s`, access } = definition
  const isItem = verb !== 'list' && verb !== 'create'
  const isRead = verb === 'list' || verb === 'read'
  const may = isRead ? ownership.may.read : ownership.may.write
  const role = isRead ? access?.read : verb === 'remove' ? (access?.remove ?? access?.write) : access?.write
  const params = paramsOf(made, isItem ? paramOf(made) : undefined)
  return {
    method: METHODS[verb],
    path: isItem ? `/:${paramOf(made)}` : '',
    may,
    ...(Object.keys(params.properties).length > 0 && { params }),
    detail: {
      tags: [`${plural.charAt(0).toUpperCase()}${plural.slice(1)}`],
      summary,
      operationId: `${name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}.${verb}`,
      ...('access' in may && role && { 'x-role': role }),
    },
  }
}

const sqlOf = ({ context: { sql } }: Made) => sql
const paramOf = ({ definition }: Made) => definition.item?.param ?? 'id'
const paramsOf = ({ definition }: Made, item: string | undefined) =>
  T.Object(
    Object.fromEntries([...Object.keys(definition.within?.params ?? {}), ...(item === undefined ? [] : [item])].map((name) => [name, Id])),
  )
const storeIdOf = ({ storeId }: Ask['query']) => storeId as string | undefined
const brief = ({ shape, definition: { long = [] } }: Made) => ({
  ...shape.table,
  columns: shape.table.columns.filter((column) => !long.includes(column)),
})

/** Rows that lie in what the path names. */
const pathOf = ({ definition }: Made, { params }: Ask): AnyOf[] =>
  Object.entries(definition.within?.params ?? {}).map(([param, { own }]) => own.map((column) => ({ [column]: params[param] ?? '' })))
const firstColumns = ({ definition }: Made, { params }: Ask): Values =>
  Object.fromEntries(Object.entries(definition.within?.params ?? {}).map(([param, { own }]) => [own[0], params[param]]))

/** Throws `not_found` where there is nothing that the rows could lie in. */
async function assertWithin(made: Made, { params }: Ask): Promise<void> {
  const { within } = made.definition
  if (!within) return
  const theirs = Object.entries(within.params).map(([param, { theirs: column }]) => [column, params[param] ?? ''])
  if (!(await hasRow(sqlOf(made), within.table, Object.fromEntries(theirs)))) throw notFound(`The ${within.name}`)
}

async function find(made: Made, ask: Ask): Promise<Row> {
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

/** All that a client may write: what it leaves out is as it is by default. */
const whole = ({ shape, definition: { defaults } }: Made, body: Values): Values => ({
  ...Object.fromEntries(shape.writable.map((column) => [column, null])),
  ...defaults,
  ...body,
})

async function update(made: Made, ask: Ask, verb: 'replace' | 'patch', values: Values): Promise<{ data: Row }> {
  const { definition, ownership, shape } = made
  const row = await find(made, ask)
  const owner = await ownership.write(ask.caller, row, 'change')
  refuseDecimals(made, ask.body)
  return transaction(sqlOf(made), async (tx) => {
    const kept = await prepare(made, tx, { verb, ownerId: owner?.id ?? null, row, values })
    const before = await held(made, tx, row.id)
    const changed = await updateRow(tx, shape.table, row.id, { ...kept, ...definition.stamps?.(values) })
    if (!changed) throw notFound(`The ${definition.name}`)
    const after = present(changed, shape)
    await definition.wrote?.(tx, { verb, owner, before, after })
    return { data: after }
  })
}

/** As it is now that nobody else writes it, where somebody wants to know. */
async function held({ definition, shape }: Made, tx: Tx, id: string): Promise<Row | null> {
  if (!definition.wrote) return null
  const row = await findRow(tx, shape.table, [[{ id }]])
  return row ? present(row, shape) : null
}

/**
 * Returns the values to keep. Throws where the owner has as many as there may be, or where the definition refuses it. Writes of one owner then
 * wait for each other.
 */
async function prepare(made: Made, tx: Tx, change: Change): Promise<Change['values']> {
  const { most, check, normalize, wrote, name, plural = `${name}s` } = made.definition
  const counts = most !== undefined && change.verb === 'create'
  if (!counts && !check && !normalize && !wrote) return change.values
  await lockRowsOf(tx, made.shape.table, change.ownerId)
  const { column } = made.ownership
  if (counts && (await countRows(tx, made.shape.table, column === null ? [] : [[{ [column]: change.ownerId }]])) >= most)
    throw new ApiError('conflict', `There are ${most} ${plural} already, which is as many as there may be. Delete one first.`)
  await check?.(tx, change)
  return { ...change.values, ...(await normalize?.(tx, change)) }
}

/** The column would round what it cannot keep, and nobody would know. */
function refuseDecimals({ shape, definition: { fields } }: Made, values: Values): void {
  for (const column of shape.numeric) {
    const value = values[column]
    if (typeof value === 'number') amount(value, `/body/${column}`, decimalsOf(fields.properties[column]))
  }
}

function decimalsOf(schema: TSchema = T.Number()): number {
  const said: readonly TSchema[] = [schema, ...((schema.anyOf as TSchema[] | undefined) ?? [])]
  return (said.find((each) => 'x-decimals' in each)?.['x-decimals'] as number | undefined) ?? 4
}
