import type { Context } from '../../../context.ts'
import type { Queryable, Tx } from '../../../data/sql.ts'
import { parseMoney } from '../../../http/body/amount.ts'
import { type Change, resourceRoutes, type StoreGuard, type Written } from '../../../http/resource/resource.ts'
import { stripTypedCode } from '../../../lib/clean-code.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { parseStateCodes } from '../../../platform/geo/catalogue/state-codes.ts'
import { resolveStore } from '../../stores/access.ts'
import { findCurrency, findStore } from '../../stores/stores.queries.ts'
import { catalogErrors } from '../catalog.errors.ts'
import type { PromoOffer } from '../pricing/promotion.ts'
import { Promo, type PromoRow, PromoUses } from './promos.model.ts'
import { findPromoByCode, findUnknownIds } from './promos.queries.ts'

export type { PromoOffer as Offer } from '../pricing/promotion.ts'

/** Routes of a store's promotions. */
export const promos = (context: Context) => {
  const guard: StoreGuard = (caller, storeId, needed) => resolveStore(context, caller, storeId, needed)
  return resourceRoutes(context, guard, {
    name: 'promo',
    path: '/v1/promos',
    table: 'promos',
    prefix: 'pro',
    verbs: ['list', 'create', 'read', 'replace', 'remove'],
    fields: Promo,
    readOnlyFields: { uses: PromoUses },
    defaults: {
      value: 0,
      minimumSubtotal: 0,
      maximumDiscount: null,
      productIds: [],
      categoryIds: [],
      stateCodes: [],
      deliveryTypes: [],
      firstOrderOnly: false,
      usageLimit: null,
      perCustomerLimit: null,
      startsAt: null,
      endsAt: null,
      enabled: true,
    },
    filters: ['code'],
    caseInsensitive: ['code'],
    sorts: ['code'],
    access: { read: 'viewer', write: 'admin', readScope: 'products:read', writeScope: 'products:write' },
    maxRows: 1_000,
    check: assertTerms,
    normalize: normalizeTerms,
    onWritten: auditTerms,
  })
}

/**
 * Throws `invalid_request` where a promotion gives no discount or contradicts itself, `not_found` for products or categories that the store
 * does not have.
 */
async function assertTerms(tx: Tx, { verb, owner, values }: Change): Promise<void> {
  if (verb === 'remove' || owner === null) return
  const { kind, value, minimumSubtotal, maximumDiscount, productIds, categoryIds, startsAt, endsAt } = values as PromoRow
  const currency = await findCurrency(tx, owner.id)
  if (kind === 'percent' && value > 100) throw catalogErrors.percentTooHigh({ field: ['value'] })
  if (kind === 'fixed') parseMoney(value, ['value'], currency)
  parseMoney(minimumSubtotal, ['minimumSubtotal'], currency)
  if (maximumDiscount !== null) parseMoney(maximumDiscount, ['maximumDiscount'], currency)
  if (kind !== 'free_shipping' && value === 0) throw catalogErrors.discountMissing({ field: ['value'] })
  if (startsAt && endsAt && Date.parse(endsAt) <= Date.parse(startsAt)) throw catalogErrors.endsBeforeStart({ field: ['endsAt'] })
  const meant = [
    ['products', productIds, 'product'],
    ['categories', categoryIds, 'category'],
  ] as const
  for (const [table, ids, what] of meant)
    if (ids.length > 0 && (await findUnknownIds(tx, table, owner.projectId, ids)).length > 0) throw notFound(`A ${what} of the promotion`)
}

/**
 * Returns the code without surrounding spaces, and the state codes as the catalogue writes them, each once. Throws `invalid_request` for a
 * state that the store's country does not have.
 */
async function normalizeTerms(tx: Tx, { verb, owner, row, values }: Change): Promise<Change['values']> {
  if (verb === 'remove' || owner === null) return {}
  const store = await findStore(tx, owner.id)
  if (!store) throw notFound('The store')
  const { code, stateCodes } = values as PromoRow
  const fieldOf = (_: string, at: number) => ['stateCodes', at]
  const codes = await parseStateCodes(tx, store.countryCode, stateCodes, { fieldOf, kept: (row?.stateCodes ?? []) as string[] })
  return { code: stripTypedCode(code), stateCodes: [...new Set(codes)] }
}

const AUDIT_EVENTS = { create: 'promo.created', replace: 'promo.changed', patch: 'promo.changed', remove: 'promo.deleted' } as const

/** Records a write of a promotion in the audit log, because its terms decide what customers pay. */
async function auditTerms(tx: Tx, { verb, owner, before, after }: Written): Promise<void> {
  const thing = (after ?? before)?.id
  if (!owner || !thing) return
  await recordAudit(tx, { storeId: owner.id }, { what: AUDIT_EVENTS[verb], thing, ...(before && { before }), ...(after && { after }) })
}

/**
 * Finds the offer behind a promotion code that can be used now. Pricing checks whether an order meets its conditions. Throws
 * `invalid_promo`.
 */
export async function findOffer(sql: Queryable, projectId: string, code: string): Promise<PromoOffer> {
  const promo = await findPromoByCode(sql, projectId, stripTypedCode(code))
  if (!promo?.enabled) throw catalogErrors.promotionUnknown()
  if (promo.startsAt && Date.parse(promo.startsAt) > Date.now()) throw catalogErrors.promotionNotBegun()
  if (promo.endsAt && Date.parse(promo.endsAt) < Date.now()) throw catalogErrors.promotionOver()
  // The last use may still go to another order first: `claimPromoUse` decides.
  if (promo.usageLimit !== null && promo.uses >= promo.usageLimit) throw catalogErrors.promotionUsedUp()
  return {
    promoId: promo.id,
    code: promo.code,
    kind: promo.kind,
    value: Number(promo.value),
    minimumSubtotal: Number(promo.minimumSubtotal),
    maximumDiscount: promo.maximumDiscount === null ? null : Number(promo.maximumDiscount),
    productIds: promo.productIds,
    categoryIds: promo.categoryIds,
    stateCodes: promo.stateCodes,
    deliveryTypes: promo.deliveryTypes,
    firstOrderOnly: promo.firstOrderOnly,
  }
}
