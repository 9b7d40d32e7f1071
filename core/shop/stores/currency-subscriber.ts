import type { Subscribers } from '../../data/subscribers.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { isCurrencyUsed } from './stores.queries.ts'

/** Refuses the deletion of a currency that a store uses, with `conflict`. */
export const currencySubscriber: Subscribers = {
  async 'currency.leaving'(tx, { code }) {
    if (await isCurrencyUsed(tx, code)) throw new DomainError('conflict', `Stores sell in ${code}. Hide it instead: "enabled": false.`)
  },
}
