import { type Static, Type as T } from '@sinclair/typebox'
import { fileForm } from '../../../http/form.ts'
import { listing } from '../../../http/list.ts'
import { Id, Nullable, named, oneOf, Timestamp } from '../../../http/schema.ts'

const rowStatuses = ['waiting', 'created', 'updated', 'failed'] as const
export const ProductImport = named(
  'ProductImport',
  T.Object({
    id: Id,
    storeId: Id,
    status: oneOf(['processing', 'completed']),
    total: T.Integer({ description: 'rows' }),
    created: T.Integer(),
    updated: T.Integer(),
    failed: T.Integer(),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  }),
)
export type ProductImport = Static<typeof ProductImport>
export const ImportedRow = named(
  'ProductImportRow',
  T.Object({
    row: T.Integer({ description: 'from 1, headings not counted' }),
    status: oneOf(rowStatuses),
    sku: Nullable(T.String()),
    productId: Nullable(Id),
    error: Nullable(T.Object({ code: T.String(), message: T.String() })),
  }),
)
export type ImportedRow = Static<typeof ImportedRow>
export const rowList = listing({ sorts: null, filters: { status: oneOf(rowStatuses) } })

export const importForm = fileForm(
  'CSV in UTF-8 with headings as of an export, up to 10 MB and 20,000 rows. A row is found by its sku, else by its slug, and made where neither is known; empty cells change nothing. With `options` (`Size=42|Colour=black`), or with the id of a `variant` as an export says it, it is a variant of the product with its slug. Between several values of a cell stands `|`; where one has a `|` or a backslash in it, a backslash stands before that. `stock` is received where the row makes something new, and else set by an adjustment, never below what is reserved; what it is said of is kept in stock from then on.',
)
