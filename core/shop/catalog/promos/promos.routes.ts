import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { deliveryTypes } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { parseMoney } from '../../../http/body/amount.ts'
import { Data, exact, Id, Money, Nullable, oneOf, Text } from '../../../http/schema.ts'
import { describeError } from '../../../lib/errors/describe-error.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { decimalNumber } from '../../../lib/money/decimal.ts'
import { computePromoDiscount } from './compute-promo-discount.ts'

const Item = exact({
  productId: Id,
  variantId: T.Optional(Nullable(Id)),
  offerId: T.Optional(Nullable(Id)),
  quantity: T.Integer({ minimum: 1, maximum: 100_000 }),
})
const PromoValidationRequest = exact({
  storeId: Id,
  code: T.String({ maxLength: 80 }),
  subtotal: T.Optional({ ...Money, description: 'subtotal of the goods, where no items are given' }),
  items: T.Optional(T.Array(Item, { minItems: 1, maxItems: 200 })),
  stateCode: T.Optional(Text(120, 1)),
  deliveryType: T.Optional(oneOf(deliveryTypes)),
})
const PromoValidationResult = T.Object({
  valid: T.Boolean(),
  discount: Money,
  message: Nullable(T.String()),
})

/** Route that computes the discount of a code before an order is placed, for storefronts. */
export const promoValidation = (context: Context) =>
  new Elysia({ name: 'promo verdict', prefix: '/v1/promos' }).use(context.authority).post(
    '/validate',
    async ({ body: { subtotal, ...asked }, store }) => {
      const off = await computePromoDiscount(context.sql, store, {
        ...asked,
        subtotal: parseMoney(subtotal ?? 0, ['subtotal'], store.currencyCode),
      }).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'invalid_promo') return error
        throw error
      })
      if (off instanceof DomainError) return { data: { valid: false, discount: 0, message: describeError(off) } }
      return { data: { valid: true, discount: decimalNumber(off), message: null } }
    },
    {
      storefront: ['viewer', 'products:read'],
      body: PromoValidationRequest,
      response: Data(PromoValidationResult),
      detail: {
        tags: ['Promos'],
        summary:
          'Compute the discount of a code on a subtotal, or on items at catalogue prices; per-customer limits are checked when an order is placed',
        operationId: 'promo.validate',
      },
    },
  )
