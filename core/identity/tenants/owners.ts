import type { Queryable } from '../../data/sql.ts'
import type { Subscribers } from '../../data/subscribers.ts'
import { assertOwnsNone } from '../auth/user-deletion.ts'
import { endAllSpanningKeys, endSpanningKeysOfTenant } from './keys/keys.ts'
import {
  countOwnedTenants,
  deleteAllMembers,
  deleteMembershipsOfUser,
  listOwnedTenantNames,
  lockOwnedTenants,
  transferTenants,
} from './owners.queries.ts'

const NAMED_MAX = 3

/** Lists the names of the first three tenants of an owner. */
export const ownedTenantNames = (sql: Queryable, userId: string): Promise<string[]> => listOwnedTenantNames(sql, userId, NAMED_MAX)

/** Subscribers that transfer the tenants of a user, or prevent the deletion of a user who owns one. */
export const ownerSubscribers: Subscribers = {
  async 'user.assets_transferred'(tx, { fromId, toId }) {
    const owned = await lockOwnedTenants(tx, fromId)
    if (owned.length > 0) await transferTenants(tx, owned, fromId, toId)
  },
  // Members and keys of the previous user of the account must not keep access.
  async 'user.recovered'(tx, { userId }) {
    const owned = await lockOwnedTenants(tx, userId)
    if (owned.length > 0) await deleteAllMembers(tx, owned)
    for (const tenantId of owned) await endAllSpanningKeys(tx, tenantId)
  },
  async 'user.deleted'(tx, { userId }) {
    assertOwnsNone('tenants', await countOwnedTenants(tx, userId))
    for (const tenantId of await deleteMembershipsOfUser(tx, userId)) await endSpanningKeysOfTenant(tx, tenantId)
  },
}
