import type { Queryable } from '../../data/sql.ts'
import { soughtPhone } from '../../http/phone.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { AskedOrders } from './list.model.ts'
import { findOrders } from './list.queries.ts'

/** A page of a store's orders; a phone number is read as people of its country write it. Throws `invalid_phone` for one that cannot exist. */
export async function listOrders(sql: Queryable, { id, countryCode }: Pick<Store, 'id' | 'countryCode'>, asked: AskedOrders) {
  const { phone: typed, ...filter } = asked.filter
  const phone = typed === undefined ? {} : { phone: soughtPhone(typed, countryCode, '/query/phone') }
  return findOrders(sql, id, { ...asked, filter: { ...filter, ...phone } })
}
