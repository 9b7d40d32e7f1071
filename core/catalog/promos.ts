import { type Static, Type as T } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Queryable } from '../data/sql.ts'
import { amount } from '../http/amount.ts'
import { ApiError } from '../http/errors.ts'
import { resource, type StoreGuard } from '../http/resource.ts'
import { Data, exact, Id, Money, Nullable, oneOf, Timestamp } from '../http/schema.ts'
import { type Decimal, decimal, decimalNumber, multiply, ONE } from '../lib/decimal.ts'
import { chosenStore } from '../stores/access.ts'
import { findPromo } from './promos.queries.ts'

const Code = T.String({ pattern: '^[A-Za-z0-9_-]{1,40}$', description: 'letters, digits, - and _' })

const Promo = T.Object({
  code: Code,
  kind: oneOf(['percent', 'amount']),
  value: T.Number({ minimum: 0, maximum: 1e9, description: 'percent of the subtotal, or an amount off it' }),
  minimumSubtotal: T.Optional(Money),
  startsAt: T.Optional(Nullable(Timestamp)),
  endsAt: T.Optional(Nullable(Timestamp)),
  enabled: T.Optional(T.Boolean()),
})
export type PromoRow = Static<typeof Promo> & { id: string }

const Question = exact({ storeId: Id, code: T.String({ maxLength: 80 }), subtotal: Money })
const Verdict = T.Object({ valid: T.Boolean(), discount: Money, message: Nullable(T.String()) })

/** Promotions of a store, and what one is worth. */
export const promos = (context: Context) => {
  const guard: StoreGuard = (caller, storeId, needed) => chosenStore(context, caller, storeId, needed)
  return resource(context, guard, {
    name: 'promo',
    path: '/v1/promos',
    table: 'promos',
    prefix: 'pro',
    verbs: ['list', 'create', 'read', 'replace', 'remove'],
    fields: Promo,
    defaults: { minimumSubtotal: 0, startsAt: null, endsAt: null, enabled: true },
    filters: ['code'],
    access: { read: 'viewer', write: 'admin', readScope: 'products:read', writeScope: 'products:write' },
  }).post(
    '/validate',
    (async ({ body }: { body: Static<typeof Question> }) => {
      const discount = await discountOf(context.sql, body.storeId, body.code, amount(body.subtotal, '/body/subtotal')).catch((error) => {
        if (error instanceof ApiError) return error
        throw error
      })
      if (discount instanceof ApiError) return { data: { valid: false, discount: 0, message: discount.message } }
      return { data: { valid: true, discount: decimalNumber(discount), message: null } }
    }) as never,
    {
      open: true,
      body: Question,
      response: Data(Verdict),
      detail: { tags: ['Promos'], summary: 'What a code takes off a subtotal', operationId: 'promo.validate' },
    } as never,
  )
}

/** What the code takes off, never more than the subtotal. Throws `invalid_promo` with the reason. */
export async function discountOf(sql: Queryable, storeId: string, code: string, subtotal: Decimal): Promise<Decimal> {
  const promo = await findPromo(sql, storeId, code)
  const refuse = (why: string) => new ApiError('invalid_promo', why)
  if (!promo?.enabled) throw refuse('There is no such promotion.')
  if (promo.startsAt && Date.parse(promo.startsAt) > Date.now()) throw refuse('This promotion has not begun.')
  if (promo.endsAt && Date.parse(promo.endsAt) < Date.now()) throw refuse('This promotion is over.')
  if (subtotal < decimal(promo.minimumSubtotal ?? 0))
    throw refuse(`This promotion needs a subtotal of at least ${Number(promo.minimumSubtotal)}.`)
  const value = decimal(promo.value)
  const off = promo.kind === 'percent' ? multiply(multiply(subtotal, value), ONE / 100n, 2) : value
  return off > subtotal ? subtotal : off
}
