import { Type as T } from '@sinclair/typebox'
import { Warning } from '../../../plugins/carrier/model.ts'
import { Id, Nullable, named } from '../../http/schema.ts'
import { importRequestBody, importRowFields, importSchema } from '../../shop/imports/imports.model.ts'

/** Import of orders and its progress. */
export const OrderImport = importSchema('OrderImport')

/** Row of an import, with its order. */
export const ImportedOrderRow = named(
  'OrderImportRow',
  T.Object({
    ...importRowFields,
    warnings: Nullable(T.Array(Warning), {
      description: 'warnings of the order that was created, as of POST /v1/orders; null where there is none',
    }),
    reference: Nullable(T.String()),
    orderId: Nullable(Id, { description: 'the order that was created, or that was imported before; null if the row was only checked' }),
  }),
)

/** Multipart form that uploads a sheet of orders. */
export const orderImportForm = importRequestBody(
  'CSV or XLSX with headings in English, French or Arabic, up to 10 MB and 20,000 rows. A row is an order; rows with the same `reference` are lines of one. An order is imported once: a sheet that comes again, or a row that stands twice in it, is `repeated`. Without a reference the whole row is compared. Prices of the sheet count, or those of the catalogue where it has none.',
)
