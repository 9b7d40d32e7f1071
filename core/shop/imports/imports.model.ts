import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { fileForm } from '../../http/body/form.ts'
import { defineList } from '../../http/resource/list.ts'
import { Data, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

/** Kinds of sheets that can be imported. */
export const importKinds = ['products', 'orders'] as const
/** One of {@link importKinds}. */
export type ImportKind = (typeof importKinds)[number]

/** Statuses of a row. `repeated` means that it was imported before. */
export const rowStatuses = ['waiting', 'created', 'updated', 'repeated', 'failed'] as const
/** One of {@link rowStatuses}. */
export type RowStatus = (typeof rowStatuses)[number]

/** Row of a sheet to be imported. */
export interface NewImportRow {
  /** Number of the row, from 1, without the headings. */
  readonly row: number
  /** Text that identifies the row to people, such as a sku. */
  readonly name: string | null
  readonly input: unknown
}

/** Input of a row that cannot be read, because a separator cut a cell in two. Its import fails. */
export interface CutRow {
  readonly isCut: true
}

/** Result of a row. */
export interface RowResult {
  readonly status: Exclude<RowStatus, 'waiting'>
  /** Id of the product or the order; null where there is none. */
  readonly resultId: string | null
  readonly error: { readonly code: string; readonly message: string } | null
  /** Warnings of what was created, as the API answers with them; null where there is none. */
  readonly warnings: readonly RowWarning[] | null
}

/** Warning of a row that was imported all the same. */
export interface RowWarning {
  readonly code: string
  readonly message: string
}

/** Result of a row that was imported. */
export type AppliedRow = Omit<RowResult, 'error' | 'warnings'> & { readonly warnings?: readonly RowWarning[] | undefined }

/** Fields of an import. `created`, `updated`, `repeated` and `failed` count rows. */
const importFields = {
  id: Id,
  storeId: Id,
  status: oneOf(['processing', 'completed']),
  dryRun: T.Boolean({ description: 'whether this was a dry run, which changes nothing' }),
  ignored: T.Array(T.String(), { description: 'headings of columns that were ignored' }),
  total: T.Integer({ description: 'rows' }),
  created: T.Integer(),
  updated: T.Integer(),
  repeated: T.Integer({ description: 'rows that were imported before' }),
  failed: T.Integer(),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
}

/** Schema of an import in an answer, under the name of its kind. */
export const importSchema = (name: string) => named(name, T.Object(importFields))
/** Type of an {@link importSchema}. */
export type ImportSchema = ReturnType<typeof importSchema>

/** Fields of an imported row in an answer. */
export const importRowFields = {
  row: T.Integer({ description: 'from 1, headings not counted; empty rows count' }),
  status: oneOf(rowStatuses),
  error: Nullable(T.Object({ code: T.String(), message: T.String({ description: 'the column and its error' }) })),
}

/** Filters of the list of rows. */
export const importRowList = defineList({ sorts: null, filters: { status: oneOf(rowStatuses) } })

const ImportColumn = named(
  'ImportColumn',
  T.Object({
    column: T.String(),
    headings: T.Array(T.String(), { description: 'other headings that are recognized; case, accents, spaces and a currency are ignored' }),
    description: T.String(),
    required: T.Boolean({ description: 'whether a sheet needs this column, or another required one in its place' }),
  }),
)
/** Answer with the columns that a sheet may have. */
export const ImportColumns = Data(T.Array(ImportColumn))

/** Query that names the store. */
export const StoreQuery = T.Object({ storeId: T.Optional(Id) })
/** Query of an import. */
export const ImportQuery = T.Object({
  storeId: T.Optional(Id),
  dryRun: T.Optional(t.Boolean({ description: 'check the rows and change nothing' })),
})
/** Path parameters of an import. */
export const ImportParams = T.Object({ id: Id })

/** Creates the OpenAPI request body of an import. */
export const importRequestBody = (description: string) =>
  fileForm(description, {
    ignoreUnknown: {
      type: 'string',
      description: '`true`: columns with unknown headings are ignored. Otherwise a sheet with one is refused.',
    },
  })
