import { one, type Queryable, type Tx } from '../../data/sql.ts'
import { amount } from '../../http/amount.ts'
import { ApiError, invalid, notFound } from '../../http/errors.ts'
import { decimal, decimalNumber, decimalText } from '../../lib/decimal.ts'
import { newId } from '../../lib/ids.ts'
import { emit } from '../../platform/webhooks/emit.ts'
import { KEY } from '../inventory/inventory.model.ts'
import { post } from '../inventory/post.ts'
import { stockOf } from '../inventory/stock.ts'
import type { Store } from '../stores/stores.model.ts'
import type { KeptVariant, NewProduct, NewVariant, Product, ProductChange, Stock } from './products.model.ts'
import { insertProduct, markProductDeleted, type ProductRow, skuTaken, takenKeys, updateProduct } from './products.queries.ts'

const LEDGER_KEY = new RegExp(KEY)
export const DEFAULT_NAMESPACE = 'main'

export const namespaceOf = (store: Store) => store.settings.inventoryNamespace ?? DEFAULT_NAMESPACE

/** Whether it brings stock of its own. */
export const countsStock = ({ initialStock, variants = [] }: NewProduct) =>
  initialStock !== undefined || variants.some((variant) => variant.initialStock !== undefined)

/** Makes the product and, if said, receives its first stock. */
export async function createProduct(tx: Tx, store: Store, input: NewProduct): Promise<Product> {
  const { storeId: _, initialStock, variants = [], inventoryKey, sku, ...rest } = input
  const id = newId('prd')
  await refuseTakenSku(tx, store.id, sku, id)
  const ledgerKey = await keyMaker(tx, store.id, [sku, ...variants.map((variant) => variant.sku)])
  const counted = countsStock(input)
  const kept = variants.map((input, at) => ({
    variant: keptVariant(input, undefined, ledgerKey, at),
    quantity: firstOf(input.initialStock, `/body/variants/${at}/initialStock`),
  }))
  const row = await insertProduct(tx, {
    stockKeeping: counted,
    ...amounts(rest),
    storeId: store.id,
    id,
    sku: sku ?? null,
    inventoryKey: inventoryKey ?? ledgerKey(sku, id),
    variants: kept.map(({ variant }) => variant),
  })
  const firstStock = [
    { key: row.inventoryKey, quantity: firstOf(initialStock, '/body/initialStock') },
    ...kept.map(({ variant, quantity }) => ({ key: variant.inventoryKey, quantity })),
  ].filter(({ quantity }) => quantity > 0)
  if (firstStock.length > 0) {
    const namespace = namespaceOf(store)
    await post(tx, store.projectId, {
      type: 'receive',
      note: 'First stock',
      reference: id,
      legs: firstStock.map((leg) => ({ namespace, ...leg })),
    })
  }
  const product = await present(tx, store, row)
  await emit(tx, [{ projectId: store.projectId, storeId: store.id, type: 'product.created', data: { product } }])
  return product
}

export async function changeProduct(tx: Tx, store: Store, current: ProductRow, change: ProductChange): Promise<Product> {
  const { variants, ...rest } = change
  await refuseTakenSku(tx, store.id, change.sku, current.id)
  if (variants?.some(({ initialStock }) => initialStock !== undefined))
    throw invalid('/body/variants', 'initialStock is for a new product; receive stock through POST /v1/inventory/operations.')
  const ledgerKey = await keyMaker(
    tx,
    store.id,
    (variants ?? []).map((variant) => variant.sku),
  )
  const known = new Map(current.variants.map((variant) => [variant.id, variant]))
  const row = await updateProduct(tx, current.id, {
    ...amounts(rest),
    ...(variants && { variants: variants.map((variant, at) => keptVariant(variant, known.get(variant.id ?? ''), ledgerKey, at)) }),
  })
  if (!row) throw notFound('The product')
  const product = await present(tx, store, row)
  await emit(tx, [{ projectId: store.projectId, storeId: store.id, type: 'product.updated', data: { product } }])
  return product
}

/** Orders keep what they sold: the row stays, out of sight. */
export async function deleteProduct(tx: Tx, store: Store, id: string) {
  if (!(await markProductDeleted(tx, id))) throw notFound('The product')
  await emit(tx, [{ projectId: store.projectId, storeId: store.id, type: 'product.deleted', data: { id } }])
}

/** Rows to answers, with their stock read in one query. */
export async function presentAll(sql: Queryable, store: Store, rows: readonly ProductRow[]): Promise<Product[]> {
  const namespace = namespaceOf(store)
  const keys = rows
    .filter((row) => row.stockKeeping)
    .flatMap((row) => [row.inventoryKey, ...row.variants.map((variant) => variant.inventoryKey)])
  const stocks =
    keys.length > 0
      ? await stockOf(
          sql,
          store.projectId,
          keys.map((key) => ({ namespace, key })),
        )
      : null
  const stock = (key: string): Stock => ({ namespace, ...(stocks?.get(`${namespace}/${key}`) ?? { onHand: 0, reserved: 0, available: 0 }) })
  return rows.map((row) => ({
    id: row.id,
    storeId: row.storeId,
    name: row.name,
    description: row.description,
    sku: row.sku,
    status: row.status,
    price: decimalNumber(decimal(row.price)),
    compareAtPrice: row.compareAtPrice === null ? null : Number(row.compareAtPrice),
    weightKg: Number(row.weightKg),
    stockKeeping: row.stockKeeping,
    inventoryKey: row.inventoryKey,
    stock: row.stockKeeping ? stock(row.inventoryKey) : null,
    images: row.images,
    variants: row.variants.map((variant) => ({ ...variant, stock: row.stockKeeping ? stock(variant.inventoryKey) : null })),
    metadata: row.metadata,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }))
}

export const present = async (sql: Queryable, store: Store, row: ProductRow) => one(await presentAll(sql, store, [row]))

async function refuseTakenSku(tx: Tx, storeId: string, sku: string | null | undefined, except: string) {
  if (sku && (await skuTaken(tx, storeId, sku, except)))
    throw new ApiError('sku_taken', `Another product of the store has the sku "${sku}".`)
}

function amounts<F extends { price?: number; compareAtPrice?: number | null; weightKg?: number }>({
  price,
  compareAtPrice,
  weightKg,
  ...rest
}: F) {
  return {
    ...rest,
    ...(price !== undefined && { price: exactPrice(price, '/body/price') }),
    ...(compareAtPrice !== undefined && {
      compareAtPrice: compareAtPrice === null ? null : exactPrice(compareAtPrice, '/body/compareAtPrice'),
    }),
    ...(weightKg !== undefined && { weightKg: decimalText(amount(weightKg, '/body/weightKg', 4)) }),
  }
}

const exactPrice = (value: number, path: string) => decimalText(amount(value, path))

const firstOf = (quantity: number | undefined, path: string) => (quantity === undefined ? 0 : decimalNumber(amount(quantity, path, 4)))

type KeyMaker = (sku: string | null | undefined, id: string) => string

/** Where an item's stock is counted: under its sku, or its id where the sku is already, or still, the key of other goods. */
async function keyMaker(tx: Tx, storeId: string, skus: readonly (string | null | undefined)[]): Promise<KeyMaker> {
  const taken = new Set(
    await takenKeys(
      tx,
      storeId,
      skus.filter((sku) => typeof sku === 'string'),
    ),
  )
  return (sku, id) => {
    const key = sku && LEDGER_KEY.test(sku) && !taken.has(sku) ? sku : id
    taken.add(key)
    return key
  }
}

function keptVariant(input: NewVariant, known: KeptVariant | undefined, ledgerKey: KeyMaker, at: number): KeptVariant {
  const id = known?.id ?? newId('var')
  return {
    id,
    name: input.name,
    sku: input.sku ?? null,
    price: input.price === undefined || input.price === null ? null : Number(exactPrice(input.price, `/body/variants/${at}/price`)),
    options: input.options ?? {},
    inventoryKey: known?.inventoryKey ?? ledgerKey(input.sku, id),
  }
}
