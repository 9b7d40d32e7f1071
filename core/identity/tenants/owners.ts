import type { Queryable } from '../../data/sql.ts'
import type { Subscribers } from '../../data/subscribers.ts'
import { assertOwnsNone } from '../auth/leaving.ts'
import { endAllSpanningKeys, endSpanningKeysOfTenant } from './keys/keys.ts'
import { countOwned, giveOwned, leaveTenants, leaveToOwner, lockOwned, nameOwned } from './owners.queries.ts'

const NAMED_MAX = 3

/** Lists the names of the first three tenants of an owner. */
export const namesOwnedBy = (sql: Queryable, userId: string): Promise<string[]> => nameOwned(sql, userId, NAMED_MAX)

/** Subscribers that transfer the tenants of a user, or prevent the deletion of a user who owns one. */
export const followOwners: Subscribers = {
  async 'person.handsOver'(tx, { fromId, toId }) {
    const owned = await lockOwned(tx, fromId)
    if (owned.length > 0) await giveOwned(tx, owned, fromId, toId)
  },
  // Members and keys of the previous user of the account must not keep access.
  async 'person.recovered'(tx, { userId }) {
    const owned = await lockOwned(tx, userId)
    if (owned.length > 0) await leaveToOwner(tx, owned)
    for (const tenantId of owned) await endAllSpanningKeys(tx, tenantId)
  },
  async 'person.leaving'(tx, { userId }) {
    assertOwnsNone('tenants', await countOwned(tx, userId))
    for (const tenantId of await leaveTenants(tx, userId)) await endSpanningKeysOfTenant(tx, tenantId)
  },
}
