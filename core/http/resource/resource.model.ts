import { type Static, Type as T, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import type { Tx } from '../../data/sql.ts'
import { exact, Id, Nullable, named, Timestamp } from '../schema.ts'
import type { Access, OwnerRef, PublicView } from './ownership.ts'
import type { Row, Table, Values } from './rows.queries.ts'

export type Verb = 'list' | 'create' | 'read' | 'replace' | 'patch' | 'remove'
export type Write = Exclude<Verb, 'list' | 'read'>
type Field<F extends TObject> = keyof Static<F> & string

/** One plain table and the routes that it has, as data. */
export interface Resource<F extends TObject = TObject> {
  /** Singular, as people say it: it names the error, the tag and the operation ids. */
  readonly name: string
  /** The name with an s, unless said. */
  readonly plural?: string
  readonly path: string
  readonly table: string
  /** Of its ids. */
  readonly prefix: string
  /** Written out, since the interface gives each resource a different subset. */
  readonly verbs: readonly Verb[]
  /** What a client may write. Columns are these keys and no others; `numeric` ones are numbers on the wire, objects and arrays are JSON. */
  readonly fields: F
  /** What is given at creation and stays. */
  readonly fixed?: TObject
  /** What is answered and only we write. */
  readonly kept?: TProperties
  /** Values of fields that a creation or a replacement leaves out; null where none is said. */
  readonly defaults?: Partial<Static<F>>
  /** Fields that filter the list, each an equality on its column. */
  readonly filters?: readonly Field<F>[]
  /** Those of the filters that take small and capital letters for the same: an index (owner, lower(column)) stands behind each. */
  readonly caseless?: readonly Field<F>[]
  /** Columns that the list is sorted by, beside `createdAt`; never null, and an index (owner, column, id) stands behind each. */
  readonly sorts?: readonly string[]
  /** The field that `q` looks into: `folded(column)` has an index of its three-letter groups. */
  readonly search?: Field<F>
  /** Fields that are too long for a list, and are read one by one. */
  readonly long?: readonly Field<F>[]
  /** Of a store's or a project's rows. */
  readonly access?: Access
  /** What those see who are not of the owner: nothing where it is left out. */
  readonly shown?: PublicView
  /** What stands before it in its path. */
  readonly within?: Within
  /** How one is named in its path, and by which unique column besides its id. */
  readonly item?: { readonly param: string; readonly by?: string }
  /** The column that it is read by as well as by its id, unique for its owner: no id can be one. */
  readonly slug?: Field<F>
  /** How many one owner may have. */
  readonly most?: number
  /** Columns beside, from what is written. */
  stamps?(values: Values): Values
  /** What neither a schema nor a constraint can say: throws where this must not be written. An owner's writes come here one by one. */
  check?(tx: Tx, change: Change): Promise<void>
  /** Values in the form in which they are kept and compared, after the check. */
  normalize?(tx: Tx, change: Change): Promise<Values>
  /** What follows a write, in its transaction: events, and who changed what. An owner's writes come here one by one. */
  wrote?(tx: Tx, written: Written): Promise<void>
}

/** A write that has happened, as it is answered. */
export interface Written {
  readonly verb: Write
  readonly owner: OwnerRef | null
  /** As it was when it was held; null of a new one. */
  readonly before: Row | null
  /** Null of one that was removed. */
  readonly after: Row | null
}

/** The row of another table that rows lie in, such as a country's states. */
export interface Within {
  readonly name: string
  readonly table: string
  /** Path parameters: the columns of a row, any of which may have the value and the first of which is given it; the column of what it lies in. */
  readonly params: Readonly<Record<string, { readonly own: readonly [string, ...string[]]; readonly theirs: string }>>
}

/** A write that is about to happen. */
export interface Change {
  readonly verb: Write
  readonly ownerId: string | null
  /** As it was when it was asked for; null of a new one. */
  readonly row: Row | null
  /** Nothing of one that is removed. */
  readonly values: Values
}

/** What a definition makes of itself: columns, and the schemas of bodies and answers. */
export function shapeOf(definition: Resource, ownerColumn: 'storeId' | 'projectId' | null, optionalOwner: boolean) {
  const { fields, fixed = T.Object({}), kept = {}, within, long = [], shown } = definition
  const owner: TProperties = ownerColumn === null ? {} : { [ownerColumn]: optionalOwner ? Nullable(Id) : Id }
  const path = Object.fromEntries(Object.values(within?.params ?? {}).map(({ own }) => [own[0], T.String()]))
  const dates = { createdAt: Timestamp, updatedAt: Timestamp }
  const all: TProperties = {
    id: Id,
    ...owner,
    ...path,
    ...T.Required(T.Object({ ...fixed.properties, ...fields.properties })).properties,
    ...kept,
    ...dates,
  }
  const some = Object.fromEntries(
    Object.entries(all).map(([name, schema]) => [name, shown?.without?.includes(name) ? T.Optional(schema) : schema]),
  )
  const brief = Object.fromEntries(Object.entries(some).filter(([name]) => !long.includes(name)))
  const byStore = ownerColumn !== 'storeId' ? {} : { storeId: optionalOwner ? T.Optional(Nullable(Id)) : Id }
  const title = titleOf(definition.name)
  const whole = named(title, T.Object(all))
  const read = shown?.without ? named(`Shown${title}`, T.Object(some)) : whole
  return {
    table: tableOf(definition.table, all),
    numeric: Object.keys(all).filter((column) => isOf(all[column], NUMBERS)),
    writable: Object.keys(fields.properties),
    whole,
    read,
    brief: long.length > 0 ? named(`${title}Summary`, T.Object(brief)) : read,
    bodies: {
      create: named(`New${title}`, exact({ ...byStore, ...fixed.properties, ...fields.properties })),
      replace: named(`${title}Replacement`, exact(fields.properties)),
      patch: named(`${title}Change`, exact(T.Partial(fields).properties, { minProperties: 1 })),
    },
  }
}
export type Shape = ReturnType<typeof shapeOf>

/** `image prompt template` to `ImagePromptTemplate`. */
const titleOf = (name: string) => name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())

const tableOf = (name: string, all: TProperties): Table => ({
  name,
  columns: Object.keys(all),
  json: Object.keys(all).filter((column) => isOf(all[column], JSON_TYPES)),
})

const [NUMBERS, JSON_TYPES] = [
  ['number', 'integer'],
  ['object', 'array'],
]
const isOf = (schema: TSchema | undefined, types: readonly string[]): boolean =>
  schema !== undefined &&
  (types.includes(String(schema.type)) || (Array.isArray(schema.anyOf) && schema.anyOf.some((member: TSchema) => isOf(member, types))))

/** As people get it: numbers as numbers, and nothing of what is not for them. */
export function present(row: Row, { numeric }: Pick<Shape, 'numeric'>, without: readonly string[] = []): Row {
  const hidden = new Set([...without, 'sortValue'])
  const numbers = new Set(numeric)
  const shown = Object.entries(row)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => [name, numbers.has(name) && value !== null ? Number(value) : value] as const)
  return { ...Object.fromEntries(shown), id: row.id }
}
