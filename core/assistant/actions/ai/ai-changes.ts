import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { decimalsOf } from '../../../lib/money/currency.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import { changeProduct, lockProductForChange } from '../../../shop/catalog/products.ts'
import { DeliveryPricesChange } from '../../../shop/stores/delivery-prices/delivery-prices.model.ts'
import {
  applyDeliveryPricesChange,
  changeDeliveryPrices,
  deliveryPricesOf,
  pickChangedPrices,
} from '../../../shop/stores/delivery-prices/delivery-prices.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { lockExistingDetails } from '../../../shop/stores/stores.ts'
import { requestStructuredAnswer } from '../../models/model-calls.ts'
import { actionErrors } from '../actions.errors.ts'
import { type DeliveryPricesInstruction, type ProductInstruction, ProductSuggestion, type SuggestedChange } from './ai.model.ts'
import { buildMessages, withModel } from './ai.ts'

type Fields = Readonly<Record<string, unknown>>
interface SuggestOptions {
  readonly signal: AbortSignal
}

/** Compares the suggested fields with the current ones, and returns both states and the changed fields. */
export function diffFields(before: Fields, suggested: Fields): Omit<SuggestedChange, 'applied'> {
  const after = { ...before, ...suggested }
  const changes = Object.keys(suggested)
    .filter((field) => !Bun.deepEquals(before[field], after[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
  return { before, after, changes }
}

const roundToCurrency = (amount: number, { currencyCode }: Store) => Number(amount.toFixed(decimalsOf(currencyCode)))

/**
 * Lets a model suggest changes of a product. With `apply` writes them as the route of products does, else only returns them. Throws
 * `not_found`, and `conflict` when the product was changed meanwhile.
 */
export async function suggestProductChange(
  context: Context,
  store: Store,
  input: ProductInstruction,
  options: SuggestOptions,
): Promise<SuggestedChange> {
  const { productId, instruction, model, apply = false } = input
  const read = async (sql: Parameters<typeof findProducts>[0]) => (await findProducts(sql, store.projectId, [productId]))[0]
  const product = await read(context.sql)
  if (!product) throw notFound('The product')
  const { name, description, tags, seo, price, compareAtPrice, updatedAt } = product
  const before = {
    name,
    description,
    tags,
    seo,
    price: Number(price),
    compareAtPrice: compareAtPrice === null ? null : Number(compareAtPrice),
  }
  const task = `Change the product as you are asked to. Answer only the fields that change. Prices are in ${store.currencyCode}.`
  const answer = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    requestStructuredAnswer(context, owner, usable, buildMessages(task, instruction, before), ProductSuggestion, {
      ...options,
      name: 'product',
    }),
  )
  const suggested = {
    ...answer,
    ...(answer.seo && { seo: { ...seo, ...answer.seo } }),
    ...(answer.price !== undefined && { price: roundToCurrency(answer.price, store) }),
    ...(answer.compareAtPrice !== undefined && { compareAtPrice: roundToCurrency(answer.compareAtPrice, store) }),
  }
  const found = diffFields(before, suggested)
  if (!apply || found.changes.length === 0) return { ...found, applied: false }
  await transaction(context.sql, async (tx) => {
    await lockProductForChange(tx, { projectId: store.projectId, id: productId })
    if ((await read(tx))?.updatedAt !== updatedAt) throw actionErrors.changedMeanwhile()
    await changeProduct(tx, store, productId, suggested)
  })
  return { ...found, applied: true }
}

/**
 * Lets a model suggest changes of the delivery prices of a store. With `apply` writes them, else only returns them. Throws `conflict` when
 * the prices were changed meanwhile.
 */
export async function suggestDeliveryPrices(
  context: Context,
  store: Store,
  input: DeliveryPricesInstruction,
  options: SuggestOptions,
): Promise<SuggestedChange> {
  const { instruction, model, apply = false } = input
  const current = deliveryPricesOf(store)
  const task = `Change what delivery costs, in ${store.currencyCode}, as you are asked to. Answer only the prices that change.`
  const answered = await withModel(context, store, { model, gives: 'text' }, ({ owner, usable }) =>
    requestStructuredAnswer(context, owner, usable, buildMessages(task, instruction, current), DeliveryPricesChange, {
      ...options,
      name: 'prices',
    }),
  )
  const rounded = ({ home, pickup }: { home?: number; pickup?: number }) => ({
    ...(home !== undefined && { home: roundToCurrency(home, store) }),
    ...(pickup !== undefined && { pickup: roundToCurrency(pickup, store) }),
  })
  const { states } = answered
  const suggested = {
    ...rounded(answered),
    ...(states && { states: states.map(({ state, ...prices }) => ({ state, ...rounded(prices) })) }),
  }
  const found = diffFields(current, applyDeliveryPricesChange(store, suggested))
  if (!apply || found.changes.length === 0) return { ...found, applied: false }
  await transaction(context.sql, async (tx) => {
    const now = deliveryPricesOf(await lockExistingDetails(tx, store.id))
    if (!Bun.deepEquals(pickChangedPrices(store, now, suggested), pickChangedPrices(store, current, suggested)))
      throw actionErrors.changedMeanwhile()
    await changeDeliveryPrices(tx, store.id, suggested)
  })
  return { ...found, applied: true }
}
