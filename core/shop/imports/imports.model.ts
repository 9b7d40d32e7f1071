import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { fileForm } from '../../http/body/form.ts'
import { listing } from '../../http/resource/list.ts'
import { Data, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

export const importKinds = ['products', 'orders'] as const
export type ImportKind = (typeof importKinds)[number]

export const rowStatuses = ['waiting', 'created', 'updated', 'repeated', 'failed'] as const
export type RowStatus = (typeof rowStatuses)[number]

export interface NewRow {
  readonly row: number
  readonly name: string | null
  readonly input: unknown
}

/** A row that nobody can read: it is refused whatever it says. */
export interface CutRow {
  readonly isCut: true
}

export interface RowResult {
  readonly status: Exclude<RowStatus, 'waiting'>
  /** The product or the order. */
  readonly resultId: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** An import as it is shown; `created` and so on count rows. */
export const importFields = {
  id: Id,
  storeId: Id,
  status: oneOf(['processing', 'completed']),
  dryRun: T.Boolean({ description: 'whether the rows were only tried: nothing of them is kept' }),
  ignored: T.Array(T.String(), { description: 'headings of columns that were left out' }),
  total: T.Integer({ description: 'rows' }),
  created: T.Integer(),
  updated: T.Integer(),
  repeated: T.Integer({ description: 'rows that were imported before' }),
  failed: T.Integer(),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
}

export const rowFields = {
  row: T.Integer({ description: 'from 1, headings not counted; empty rows count' }),
  status: oneOf(rowStatuses),
  error: Nullable(T.Object({ code: T.String(), message: T.String({ description: 'the column, and what is wrong with it' }) })),
}

export const rowList = listing({ sorts: null, filters: { status: oneOf(rowStatuses) } })

const ImportColumn = named(
  'ImportColumn',
  T.Object({
    column: T.String(),
    headings: T.Array(T.String(), { description: 'other headings that it is known by; case, accents, spaces and a currency do not count' }),
    description: T.String(),
    required: T.Boolean({ description: 'whether a sheet has it, or another one of those that are required' }),
  }),
)
/** The columns that a sheet may have. */
export const ImportColumns = Data(T.Array(ImportColumn))

export const ByStore = T.Object({ storeId: T.Optional(Id) })
export const ImportQuery = T.Object({
  storeId: T.Optional(Id),
  dryRun: T.Optional(t.Boolean({ description: 'only try the rows, and keep nothing of them' })),
})
export const ById = T.Object({ id: Id })

/** The form of an upload. */
export const importForm = (description: string) =>
  fileForm(description, {
    ignoreUnknown: {
      type: 'string',
      description: '`true`: columns with other headings are left out. Otherwise a sheet with one is refused.',
    },
  })
