import type { Queryable } from '../../data/sql.ts'
import type { Subscribers } from '../../data/subscribers.ts'
import { assertOwnsNone } from '../auth/leaving.ts'
import { endAllSpanningKeys, endSpanningKeysOfTenant } from './keys/keys.ts'
import { countOwned, giveOwned, leaveTenants, leaveToOwner, lockOwned, nameOwned } from './owners.queries.ts'

const NAMED_MAX = 3

/** What a person owns, as he calls it: the first few tenants. */
export const namesOwnedBy = (sql: Queryable, userId: string): Promise<string[]> => nameOwned(sql, userId, NAMED_MAX)

/** Tenants go with their owner to another, or keep him from leaving. */
export const followOwners: Subscribers = {
  async 'person.handsOver'(tx, { fromId, toId }) {
    const held = await lockOwned(tx, fromId)
    if (held.length > 0) await giveOwned(tx, held, fromId, toId)
  },
  // Whatever he makes in them from now on whoever had the account before would steer too.
  async 'person.recovered'(tx, { userId }) {
    const held = await lockOwned(tx, userId)
    if (held.length > 0) await leaveToOwner(tx, held)
    for (const tenantId of held) await endAllSpanningKeys(tx, tenantId)
  },
  async 'person.leaving'(tx, { userId }) {
    assertOwnsNone('tenants', await countOwned(tx, userId))
    for (const tenantId of await leaveTenants(tx, userId)) await endSpanningKeysOfTenant(tx, tenantId)
  },
}
