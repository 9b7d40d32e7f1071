import { type Static, Type as T, type TObject, type TSchema } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { amount } from './amount.ts'
import type { Caller } from './auth.ts'
import { notFound } from './errors.ts'
import { type Creation, createOnce } from './idempotency.ts'
import { page } from './page.ts'
import { Data, exact, Id, List, pageQuery, Timestamp } from './schema.ts'
import type { Role, Scope } from './scopes.ts'

export type Verb = 'list' | 'create' | 'read' | 'replace' | 'patch' | 'remove'

export interface Resource<F extends TObject> {
  /** Singular, as people say it: it names the error, the tag and the operation ids. */
  readonly name: string
  readonly path: string
  readonly table: string
  /** Of its ids. */
  readonly prefix: string
  /** Written out, since the interface gives each resource a different subset. */
  readonly verbs: readonly Verb[]
  /** What a client may write, `belongsTo` aside. Columns are these keys and no others; `numeric` ones are numbers on the wire. */
  readonly fields: F
  /** Values of fields that a creation leaves out. */
  readonly defaults?: Partial<Static<F>>
  /** Query parameters that filter the list, each an equality on its column. */
  readonly filters?: readonly (keyof Static<F> & string)[]
  /** Least role in the store, and the scopes of API keys. */
  readonly access: { readonly read: Role; readonly write: Role; readonly readScope: Scope; readonly writeScope: Scope }
}

/** Who may touch a store's rows. Given from outside, since this folder knows no stores. */
export type StoreGuard = (caller: Caller, storeId: string | undefined, needed: Role) => Promise<{ readonly id: string }>

type Row = Record<string, unknown> & { id: string; storeId: string }
type Ask = Creation & {
  caller: Caller
  params: { id: string }
  query: { storeId?: string; limit?: number; cursor?: string } & Record<string, unknown>
  body: Record<string, unknown>
}

/** The routes of one plain table whose rows belong to a store. Anything a table cannot say, chain after it. */
export function resource<const F extends TObject>(context: Context, guard: StoreGuard, definition: Resource<F>): AnyElysia {
  const { sql, auth } = context
  const { name, path, table, prefix, verbs, fields, defaults = {}, filters = [], access } = definition
  const columns = Object.keys(fields.properties)
  const numeric = columns.filter((column) => isNumber(fields.properties[column]!))
  const Answer = T.Object({ id: Id, storeId: Id, ...fields.properties, createdAt: Timestamp, updatedAt: Timestamp })
  const Query = T.Object({
    ...pageQuery,
    storeId: T.Optional(Id),
    ...Object.fromEntries(filters.map((key) => [key, T.Optional(fields.properties[key]!)])),
  })
  const ById = T.Object({ id: Id })
  const describe = (summary: string, verb: Verb) => ({
    tags: [`${name[0]!.toUpperCase()}${name.slice(1)}s`],
    summary,
    operationId: `${name}.${verb}`,
  })
  /** The column would round what it cannot keep, and nobody would know. */
  const refuseDecimals = (values: Record<string, unknown>) => {
    for (const column of numeric)
      if (typeof values[column] === 'number')
        amount(values[column], `/body/${column}`, (fields.properties[column]!['x-decimals'] as number | undefined) ?? 4)
  }
  const kept = sql(['id', 'storeId', ...columns, 'createdAt', 'updatedAt'])
  const present = (row: Row) => ({
    ...row,
    ...Object.fromEntries(numeric.map((column) => [column, row[column] === null ? null : Number(row[column])])),
  })

  const find = async (caller: Caller, id: string, role: Role) => {
    const [row] = await sql<Row[]>`select ${kept} from ${sql(table)} where id = ${id}`
    if (!row) throw notFound(`The ${name}`)
    await guard(caller, row.storeId, role)
    return row
  }
  const update = async ({ caller, params, body }: Ask, whole: boolean) => {
    await find(caller, params.id, access.write)
    refuseDecimals(body)
    const values = whole ? { ...Object.fromEntries(columns.map((column) => [column, null])), ...defaults, ...body } : body
    const [row] = await sql<
      Row[]
    >`update ${sql(table)} set ${sql({ ...values, updatedAt: new Date() } as never)} where id = ${params.id} returning ${kept}`
    return { data: present(row!) }
  }

  const routes: Record<Verb, (app: AnyElysia) => AnyElysia> = {
    list: (app) =>
      app.get(
        '',
        (async ({ caller, query }: Ask) => {
          const store = await guard(caller, query.storeId, access.read)
          const where = filters
            .filter((key) => query[key] !== undefined)
            .reduce((all, key) => sql`${all} and ${sql(key as string)} = ${query[key] as string}`, sql`store_id = ${store.id}`)
          const found = await page(
            query,
            (before, take) =>
              sql<
                Row[]
              >`select ${kept} from ${sql(table)} where ${where} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`,
          )
          return { ...found, data: found.data.map(present) }
        }) as never,
        {
          access: access.readScope,
          query: Query,
          response: List(Answer),
          detail: describe(`List ${name}s of a store, newest first`, 'list'),
        } as never,
      ),
    create: (app) =>
      app.post(
        '',
        (async (creation: Ask) => {
          const { storeId, ...values } = creation.body
          refuseDecimals(values)
          const store = await guard(creation.caller, storeId as string, access.write)
          return createOnce(context, creation, async (tx) => {
            const [row] = await tx<
              Row[]
            >`insert into ${tx(table)} ${tx({ ...defaults, ...values, id: newId(prefix), storeId: store.id } as never)} returning ${kept}`
            return { data: present(row!) }
          })
        }) as never,
        {
          access: access.writeScope,
          body: exact({ storeId: Id, ...fields.properties }),
          response: { 201: Data(Answer) },
          detail: describe(`Create a ${name}`, 'create'),
        } as never,
      ),
    read: (app) =>
      app.get(
        '/:id',
        (async ({ caller, params }: Ask) => ({ data: present(await find(caller, params.id, access.read)) })) as never,
        { access: access.readScope, params: ById, response: Data(Answer), detail: describe(`Read a ${name}`, 'read') } as never,
      ),
    replace: (app) =>
      app.put(
        '/:id',
        ((ask: Ask) => update(ask, true)) as never,
        {
          access: access.writeScope,
          params: ById,
          body: exact(fields.properties),
          response: Data(Answer),
          detail: describe(`Replace a ${name}`, 'replace'),
        } as never,
      ),
    patch: (app) =>
      app.patch(
        '/:id',
        ((ask: Ask) => update(ask, false)) as never,
        {
          access: access.writeScope,
          params: ById,
          body: exact(T.Partial(fields).properties, { minProperties: 1 }),
          response: Data(Answer),
          detail: describe(`Change a ${name}`, 'patch'),
        } as never,
      ),
    remove: (app) =>
      app.delete(
        '/:id',
        (async ({ caller, params, set }: Ask) => {
          await find(caller, params.id, access.write)
          await sql`delete from ${sql(table)} where id = ${params.id}`
          set.status = 204
        }) as never,
        { access: access.writeScope, params: ById, response: { 204: T.Void() }, detail: describe(`Delete a ${name}`, 'remove') } as never,
      ),
  }
  return verbs.reduce((app, verb) => routes[verb](app), new Elysia({ name: `resource:${table}`, prefix: path }).use(auth) as AnyElysia)
}

/** Elysia infers a handler's context from literal routes; these are data, hence the casts above. */
const isNumber = (schema: TSchema): boolean => schema.type === 'number' || (Array.isArray(schema.anyOf) && schema.anyOf.some(isNumber))
