import { Type as T, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Tx } from '../../data/sql.ts'
import { currentActor } from '../../data/tenant-context.ts'
import { describeField } from '../../lib/errors/describe-error.ts'
import { type FieldPath, invalidField, withFields } from '../../lib/errors/domain-error.ts'
import { parsePointer } from '../../lib/errors/json-pointer.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { changeOrder } from '../../orders/change/change.ts'
import { createOrder } from '../../orders/create/create.ts'
import { NewOrder } from '../../orders/orders.model.ts'
import type { AppliedRow } from '../../shop/imports/imports.model.ts'
import type { Importer } from '../../shop/imports/run-import.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { ExternalItem } from '../shops/connectors.model.ts'
import { goodsKeyOf, matchProductsOnSale } from '../shops/orders/match-goods.ts'
import type { SheetOrder } from './group-rows.ts'
import { findImportedOrder, upsertImportedOrder } from './imported-orders.queries.ts'
import { orderImportErrors } from './order-import.errors.ts'
import { REFERENCE_MAX, readSheetOrder, type SheetOrderContent } from './read-order.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'orders.import': { readonly storeId: string; readonly importId: string }
  }
}

const check: TypeCheck<TSchema> = TypeCompiler.Compile(T.Omit(NewOrder, ['items']))
const KEY_MAX = 'reference:'.length + REFERENCE_MAX
const WHY_DISCOUNT = 'Imported from a sheet.'

/** Importer that creates the orders of a sheet. */
export const orderImporter: Importer<SheetOrder> = { kind: 'orders', apply: importOrder, groupOf: () => null }

/**
 * Creates an order from its rows, with the prices of the sheet and the warnings of `POST /v1/orders`. Returns `repeated` if it was imported
 * before with the same contents. Throws `conflict` if its reference was imported with other contents, `invalid_request`, and the errors of
 * `createOrder`, whose fields become columns.
 */
async function importOrder(tx: Tx, store: Store, { rows, key, content }: SheetOrder): Promise<AppliedRow> {
  if (key.length > KEY_MAX) throw orderImportErrors.referenceTooLong({ referenceMax: REFERENCE_MAX }, { field: ['reference'] })
  const before = await findImportedOrder(tx, store.id, key)
  if (before) {
    if (before.content === content) return { status: 'repeated', resultId: before.orderId }
    throw orderImportErrors.referenceImported({ id: before.orderId }, { field: ['reference'] })
  }
  const { items, isConfirmed, externalPricing: signed, manualAmounts: byHand, ...read } = readSheetOrder(rows, store)
  const order = { storeId: store.id, ...read.order }
  const problem = check.Errors(order).First()
  if (problem) throw invalidField(columnOf(parsePointer(problem.path)), problem.message)
  const goods = await matchProducts(tx, store, items)
  const origin = { source: currentActor()?.kind === 'person' ? ('member' as const) : ('api' as const), address: '' }
  const { id, warnings } = await withFields(columnOf, () =>
    createOrder(tx, store, { ...order, items: goods }, { ...origin, ...(signed && { externalPricing: signed }) }),
  )
  await applySheetChanges(tx, store, id, { isConfirmed, manualAmounts: byHand })
  await upsertImportedOrder(tx, { storeId: store.id, key, content, orderId: id })
  return { status: 'created', resultId: id, warnings }
}

async function applySheetChanges(
  tx: Tx,
  store: Store,
  id: string,
  { isConfirmed, manualAmounts: { delivery, discount } }: Pick<SheetOrderContent, 'isConfirmed' | 'manualAmounts'>,
) {
  const change = {
    ...(isConfirmed && { status: 'confirmed' as const }),
    ...(delivery !== null && { deliveryPrice: decimalNumber(delivery) }),
    ...(discount !== null && discount > 0n && { discount: { amount: decimalNumber(discount), reason: WHY_DISCOUNT } }),
  }
  if (Object.keys(change).length > 0) await changeOrder(tx, store, id, change)
}

/** Finds the products by SKU or name. Throws a validation error for the first one that the store does not sell. */
async function matchProducts(tx: Tx, store: Store, items: readonly ExternalItem[]): Promise<NewOrder['items']> {
  const { found, missing } = await matchProductsOnSale(tx, store.projectId, items)
  const unknown = items.find((item) => missing.includes(goodsKeyOf(item)))
  if (unknown) {
    const [column, named] = unknown.sku === undefined ? ['products', unknown.name] : ['sku', unknown.sku]
    const version = unknown.variant === undefined ? '' : ` in "${unknown.variant.slice(0, 60)}"`
    throw orderImportErrors.productUnknown({ named: named.slice(0, 60), version }, { field: [column] })
  }
  return items.map((item) => ({ ...invariant(found.get(goodsKeyOf(item)), 'Goods that were found'), quantity: item.quantity }))
}

/** Columns that hold the fields of an order. */
const columnNames: Readonly<Record<string, string>> = {
  'customer.name': 'customerName',
  'customer.phone': 'phone',
  'customer.phoneAlt': 'phoneAlt',
  'customer.email': 'email',
  'destination.stateCode': 'state',
  'destination.cityName': 'city',
  'destination.address': 'address',
}

function columnOf(field: FieldPath): FieldPath {
  const column = columnNames[describeField(field)]
  return column === undefined ? field : [column]
}
