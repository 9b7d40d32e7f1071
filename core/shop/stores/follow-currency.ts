import type { Subscribers } from '../../data/subscribers.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { hasCurrency } from './stores.queries.ts'

/** Refuses the deletion of a currency that a store uses, with `conflict`. */
export const followCurrency: Subscribers = {
  async 'currency.leaving'(tx, { code }) {
    if (await hasCurrency(tx, code)) throw new ApiError('conflict', `Stores sell in ${code}. Hide it instead: "enabled": false.`)
  },
}
