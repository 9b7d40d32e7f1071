import type { Context } from '../../context.ts'
import type { Queryable } from '../../data/sql.ts'
import { ApiError } from '../../http/errors.ts'
import { resource, type StoreGuard } from '../../http/resource.ts'
import { type Decimal, decimal, multiply, ONE } from '../../lib/decimal.ts'
import { chosenStore } from '../stores/access.ts'
import { Promo, type PromoRow } from './promos.model.ts'
import { findPromo } from './promos.queries.ts'

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
    sorts: ['code'],
    access: { read: 'viewer', write: 'admin', readScope: 'products:read', writeScope: 'products:write' },
  })
}

/** What a promotion promises to an order that it was given to. */
export type Offer = Pick<PromoRow, 'kind' | 'value'> & { readonly minimumSubtotal: number }

/** What the code promises to who orders now. Throws `invalid_promo` with the reason. */
export async function offerOf(sql: Queryable, storeId: string, code: string, subtotal: Decimal): Promise<Offer> {
  const promo = await findPromo(sql, storeId, code)
  const refuse = (why: string) => new ApiError('invalid_promo', why)
  if (!promo?.enabled) throw refuse('There is no such promotion.')
  if (promo.startsAt && Date.parse(promo.startsAt) > Date.now()) throw refuse('This promotion has not begun.')
  if (promo.endsAt && Date.parse(promo.endsAt) < Date.now()) throw refuse('This promotion is over.')
  if (subtotal < decimal(promo.minimumSubtotal ?? 0))
    throw refuse(`This promotion needs a subtotal of at least ${Number(promo.minimumSubtotal)}.`)
  return { kind: promo.kind, value: Number(promo.value), minimumSubtotal: Number(promo.minimumSubtotal ?? 0) }
}

/** What an offer takes off: never more than the subtotal, nothing below its minimum. */
export function discountBy({ kind, value, minimumSubtotal }: Offer, subtotal: Decimal): Decimal {
  if (subtotal < decimal(minimumSubtotal)) return 0n
  const off = kind === 'percent' ? multiply(multiply(subtotal, decimal(value)), ONE / 100n, 2) : decimal(value)
  return off > subtotal ? subtotal : off
}
