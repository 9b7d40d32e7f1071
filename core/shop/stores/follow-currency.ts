import type { Followers } from '../../data/subscribers.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { hasCurrency } from './stores.queries.ts'

export const followCurrency: Followers = {
  async 'currency.leaving'(tx, { code }) {
    if (await hasCurrency(tx, code)) throw new ApiError('conflict', `Stores sell in ${code}. Hide it instead: "enabled": false.`)
  },
}
