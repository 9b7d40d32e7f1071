import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named } from '../../../http/schema.ts'
import { importFields, importForm, rowFields } from '../../imports/imports.model.ts'

export const ProductImport = named('ProductImport', T.Object(importFields))
export type ProductImport = Static<typeof ProductImport>

export const ImportedProductRow = named(
  'ProductImportRow',
  T.Object({ ...rowFields, sku: Nullable(T.String()), productId: Nullable(Id, { description: 'null also where the row was only tried' }) }),
)
export type ImportedProductRow = Static<typeof ImportedProductRow>

export const productImportForm = importForm(
  'CSV or XLSX with headings as of an export, or in French or Arabic, up to 10 MB and 20,000 rows. A row is found by its sku, else by its slug, and made where neither is known; empty cells change nothing. With `options` (`Size=42|Colour=black`), or with the id of a `variant` as an export says it, it is a variant of the product with its slug. Between several values of a cell stands `|`; where one has a `|` or a backslash in it, a backslash stands before that. `stock` is received where the row makes something new, and else set by an adjustment, never below what is reserved; what it is said of is kept in stock from then on.',
)
