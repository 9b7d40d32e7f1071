import { type Static, Type as T, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { ownerStoreIdOf } from '../../data/project-ids.ts'
import type { Tx } from '../../data/sql.ts'
import { exact, Id, Nullable, named, Timestamp } from '../schema.ts'
import type { OwnerRef, Ownership, PublicView, ResourceAccess } from './ownership.ts'
import type { ReadableTable, Row, Values } from './rows.queries.ts'

/** Operation of a resource. */
export type Verb = 'list' | 'create' | 'read' | 'replace' | 'patch' | 'remove'
/** Operation that changes a resource. */
export type Write = Exclude<Verb, 'list' | 'read'>
type Field<F extends TObject> = keyof Static<F> & string

/** Definition of a resource: one table and its CRUD routes. */
export interface Resource<F extends TObject = TObject> {
  /** Singular name in plain words. It is used in errors, the tag and operation ids. */
  readonly name: string
  /** Plural; the name with an s by default. */
  readonly plural?: string
  readonly path: string
  readonly table: string
  /** Prefix of its ids. */
  readonly prefix: string
  /** Operations that exist. Listed explicitly, because each resource has a different subset. */
  readonly verbs: readonly Verb[]
  /** Writable fields. Columns have the same names. Decimals are numbers on the wire; objects and arrays are stored as JSON. */
  readonly fields: F
  /** Fields that are set at creation and never change. */
  readonly createOnlyFields?: TObject
  /** Read-only fields, which only the server writes. */
  readonly readOnlyFields?: TProperties
  /** Default values for a creation or a replacement; null for other fields. */
  readonly defaults?: Partial<Static<F>>
  /** Fields that filter the list by equality. */
  readonly filters?: readonly Field<F>[]
  /** Filters that ignore case. Each needs an index (owner, lower(column)). */
  readonly caseInsensitive?: readonly Field<F>[]
  /** Sortable columns besides `createdAt`. They are never null, and each needs an index (owner, column, id). */
  readonly sorts?: readonly string[]
  /** Field that `q` searches. Its `folded(column)` needs a trigram index. */
  readonly search?: Field<F>
  /** Long fields, which lists omit. */
  readonly longFields?: readonly Field<F>[]
  /** Access of members and API keys, for rows of stores or projects. */
  readonly access?: ResourceAccess
  /** View for callers who are not the owner; none by default. */
  readonly publicView?: PublicView
  /** Parent resource in the path. */
  readonly parent?: ParentResource
  /** Path parameter of an item, and a unique column that identifies it besides the id. */
  readonly item?: { readonly param: string; readonly by?: string }
  /** Column that identifies an item besides its id. Unique per owner; no id may be one. */
  readonly slug?: Field<F>
  /** Maximum rows per owner. */
  readonly maxRows?: number
  /** Derives further columns from the written values. */
  deriveValues?(values: Values): Values
  /** Checks rules that no schema or constraint expresses. Throws if the write is not allowed. Writes of one owner are serialized. */
  check?(tx: Tx, change: Change): Promise<void>
  /** Normalizes values for storage and comparison, after the check. */
  normalize?(tx: Tx, change: Change): Promise<Values>
  /** Reacts to a write in its transaction, with events and audit entries. Writes of one owner are serialized. */
  onWritten?(tx: Tx, written: Written): Promise<void>
}

/** Completed write, in the form of its response. */
export interface Written {
  readonly verb: Write
  readonly owner: OwnerRef | null
  /** Row before the write, read under the lock; null if it is new. */
  readonly before: Row | null
  /** Row after the write; null if it was deleted. */
  readonly after: Row | null
}

/** Parent row of nested rows, such as the country of states. */
export interface ParentResource {
  readonly name: string
  readonly table: string
  /**
   * Path parameters with their columns. `own` columns of the row may contain the value, and the first is set at creation. `theirs` is the
   * column of the parent.
   */
  readonly params: Readonly<Record<string, { readonly own: readonly [string, ...string[]]; readonly theirs: string }>>
}

/** Write that is about to happen. */
export interface Change {
  readonly verb: Write
  /** Owner of the row; null for the platform. */
  readonly owner: OwnerRef | null
  /** Row when the write was requested; null if it is new. */
  readonly row: Row | null
  /** Values to write; empty for a deletion. */
  readonly values: Values
}

/** Derives the columns of a resource and the schemas of its bodies and responses. */
export function shapeOf(definition: Resource, { field: ownerField, isOptional: optionalOwner }: Pick<Ownership, 'field' | 'isOptional'>) {
  const { fields, createOnlyFields = T.Object({}), readOnlyFields = {}, parent, longFields = [], publicView } = definition
  const owner: TProperties = ownerField === null ? {} : { [ownerField]: optionalOwner ? Nullable(Id) : Id }
  const path = Object.fromEntries(Object.values(parent?.params ?? {}).map(({ own }) => [own[0], T.String()]))
  const dates = { createdAt: Timestamp, updatedAt: Timestamp }
  const all: TProperties = {
    id: Id,
    ...owner,
    ...path,
    ...T.Required(T.Object({ ...createOnlyFields.properties, ...fields.properties })).properties,
    ...readOnlyFields,
    ...dates,
  }
  const some = Object.fromEntries(
    Object.entries(all).map(([name, schema]) => [name, publicView?.without?.includes(name) ? T.Optional(schema) : schema]),
  )
  const brief = Object.fromEntries(Object.entries(some).filter(([name]) => !longFields.includes(name)))
  const byStore = ownerField !== 'storeId' ? {} : { storeId: optionalOwner ? T.Optional(Nullable(Id)) : Id }
  const title = titleOf(definition.name)
  const whole = named(title, T.Object(all))
  const read = publicView?.without ? named(`Shown${title}`, T.Object(some)) : whole
  return {
    table: tableOf(definition.table, all),
    hasStore: ownerField === 'storeId',
    numeric: Object.keys(all).filter((column) => isOf(all[column], NUMBERS)),
    writable: Object.keys(fields.properties),
    whole,
    read,
    brief: longFields.length > 0 ? named(`${title}Summary`, T.Object(brief)) : read,
    bodies: {
      create: named(`New${title}`, exact({ ...byStore, ...createOnlyFields.properties, ...fields.properties })),
      replace: named(`${title}Replacement`, exact(fields.properties)),
      patch: named(`${title}Change`, exact(T.Partial(fields).properties, { minProperties: 1 })),
    },
  }
}
/** Columns and schemas of a resource. */
export type ResourceShape = ReturnType<typeof shapeOf>

/** Converts `image prompt template` to `ImagePromptTemplate`. */
const titleOf = (name: string) => name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())

const tableOf = (name: string, all: TProperties): ReadableTable => ({
  name,
  columns: Object.keys(all).map((name) => (name === 'storeId' ? 'projectId' : name)),
  json: Object.keys(all).filter((column) => isOf(all[column], JSON_TYPES)),
})

const [NUMBERS, JSON_TYPES] = [
  ['number', 'integer'],
  ['object', 'array'],
]
const isOf = (schema: TSchema | undefined, types: readonly string[]): boolean =>
  schema !== undefined &&
  (types.includes(String(schema.type)) || (Array.isArray(schema.anyOf) && schema.anyOf.some((member: TSchema) => isOf(member, types))))

/** Builds the API view of a row: decimals as numbers, its project as its store, without the hidden fields. */
export function present(
  row: Row,
  { numeric, hasStore }: Pick<ResourceShape, 'numeric' | 'hasStore'>,
  without: readonly string[] = [],
): Row {
  const hidden = new Set([...without, 'sortValue'])
  const numbers = new Set(numeric)
  const shown = Object.entries(row)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => {
      if (hasStore && name === 'projectId') return ['storeId', ownerStoreIdOf(String(value))] as const
      return [name, numbers.has(name) && value !== null ? Number(value) : value] as const
    })
  return { ...Object.fromEntries(shown), id: row.id }
}
