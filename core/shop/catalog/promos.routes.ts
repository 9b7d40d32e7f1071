import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { amount } from '../../http/amount.ts'
import { ApiError } from '../../http/errors.ts'
import { Data, exact, Id, Money, Nullable } from '../../http/schema.ts'
import { decimalNumber } from '../../lib/decimal.ts'
import { discountBy, offerOf } from './promos.ts'

const Question = exact({ storeId: Id, code: T.String({ maxLength: 80 }), subtotal: Money })
const Verdict = T.Object({ valid: T.Boolean(), discount: Money, message: Nullable(T.String()) })

/** What a code is worth, for a storefront that shows it before it orders. */
export const promoVerdict = (context: Context) =>
  new Elysia({ name: 'promo verdict', prefix: '/v1/promos' }).use(context.auth).post(
    '/validate',
    async ({ body }) => {
      const subtotal = amount(body.subtotal, '/body/subtotal')
      const offer = await offerOf(context.sql, body.storeId, body.code, subtotal).catch((error) => {
        if (error instanceof ApiError) return error
        throw error
      })
      if (offer instanceof ApiError) return { data: { valid: false, discount: 0, message: offer.message } }
      return { data: { valid: true, discount: decimalNumber(discountBy(offer, subtotal)), message: null } }
    },
    {
      open: true,
      body: Question,
      response: Data(Verdict),
      detail: { tags: ['Promos'], summary: 'What a code takes off a subtotal', operationId: 'promo.validate' },
    },
  )
