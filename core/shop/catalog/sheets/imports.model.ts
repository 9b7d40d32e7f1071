import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named } from '../../../http/schema.ts'
import { importRequestBody, importRowFields, importSchema } from '../../imports/imports.model.ts'

/** Import of a product sheet, with its progress. */
export const ProductImport = importSchema('ProductImport')
/** Type of {@link ProductImport}. */
export type ProductImport = Static<typeof ProductImport>

/** Row of a product sheet, with its result. */
export const ImportedProductRow = named(
  'ProductImportRow',
  T.Object({
    ...importRowFields,
    sku: Nullable(T.String()),
    productId: Nullable(Id, { description: 'also null for a row created in a dry run' }),
  }),
)
/** Type of {@link ImportedProductRow}. */
export type ImportedProductRow = Static<typeof ImportedProductRow>

/** Request body of a product import, for the OpenAPI document. */
export const productImportForm = importRequestBody(
  'CSV or XLSX with the headings of an export, or headings in French or Arabic, up to 10 MB and 20,000 rows. A row matches a product or variant by its sku, else by its slug, and creates one where neither is known; empty cells change nothing. A row with `options` (`Size=42|Colour=black`), or with the id of a `variant` from an export, is a variant of the product with its slug. `|` separates several values in a cell; a backslash escapes a `|` or a backslash inside a value. `stock` is received for something new, and otherwise set by an adjustment, never below what is reserved; it turns on stock keeping.',
)
