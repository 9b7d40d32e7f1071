import type { Queryable } from '../data/sql.ts'
import { parseSearchPhone } from '../http/body/phone.ts'
import { stripTypedCode } from '../lib/clean-code.ts'
import { findCityCodes } from '../platform/geo/catalogue/city-codes.ts'
import { assertKnownState, stateFilter } from '../platform/geo/catalogue/state-codes.ts'
import type { Store } from '../shop/stores/stores.model.ts'
import type { OrderListRequest } from './list.model.ts'
import { findOrders, hasOrderInState } from './list.queries.ts'
import { hasFewTagged } from './search/tagged-orders.queries.ts'
import { normalizeTag } from './tags/tags.model.ts'

/**
 * Returns a page of a store's orders. Reads the phone number and the state as written in the store's country. Throws `invalid_phone` for an
 * impossible number, and `invalid_request` for a state that neither the country nor any order has.
 */
export async function listOrders(
  sql: Queryable,
  { id, countryCode }: Pick<Store, 'id' | 'countryCode'>,
  asked: OrderListRequest,
  columns?: Parameters<typeof findOrders>[4],
) {
  const { phone: typed, ...filter } = asked.filter
  const phone = typed === undefined ? {} : { phone: parseSearchPhone(typed, countryCode, ['phone']) }
  const state = filter.stateCode === undefined ? undefined : stateFilter(countryCode, filter.stateCode)
  // Orders keep a state that was not recognized as it was typed, and are found by it.
  if (state && filter.stateCode !== undefined && !(await hasOrderInState(sql, id, state.stateCode)))
    await assertKnownState(sql, countryCode, filter.stateCode, ['stateCode'])
  const cityKeys = filter.cityCode?.split(',').flatMap((written) => [written, ...findCityCodes(countryCode, written)])
  const code = filter.promoCode === undefined ? {} : { promoCode: stripTypedCode(filter.promoCode) }
  const tags = filter.tag === undefined ? undefined : [...new Set(filter.tag.split(',').map(normalizeTag))]
  const isTagRare = tags !== undefined && (await hasFewTagged(sql, id, tags))
  return findOrders(sql, id, { ...asked, filter: { ...filter, ...phone, ...code } }, { state, cityKeys, tags, isTagRare }, columns)
}
