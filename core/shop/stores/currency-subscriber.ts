import type { Subscribers } from '../../data/subscribers.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { isCurrencyUsed } from './stores.queries.ts'

/** Refuses the deletion of a currency that a store uses, with `conflict`. */
export const currencySubscriber: Subscribers = {
  async 'currency.leaving'(tx, { code }) {
    if (await isCurrencyUsed(tx, code)) throw new ApiError('conflict', `Stores sell in ${code}. Hide it instead: "enabled": false.`)
  },
}
