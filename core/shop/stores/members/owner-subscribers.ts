import { publish, type Subscribers } from '../../../data/subscribers.ts'
import { assertOwnsNone } from '../../../identity/auth/user-deletion.ts'
import { endSpanningKeys } from '../../../identity/tenants/projects.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { withdrawInvitationsBy } from './invitations.queries.ts'
import { OWNER_MEMBERSHIP } from './members.model.ts'
import { deleteMember, demoteOwner, lockMembers, updateMembership, updateStoreOwner, upsertMember } from './members.queries.ts'
import { countStoresOwnedBy, listMemberships, listStoresOwnedBy } from './owners.queries.ts'

/**
 * Transfers the stores of a user who hands over to another, and removes the memberships of a user who leaves. A user who owns stores cannot
 * leave.
 */
export const ownerSubscribers: Subscribers = {
  async 'user.assets_transferred'(tx, { fromId, toId }) {
    for (const { id } of await listStoresOwnedBy(tx, fromId)) {
      await lockMembers(tx, id)
      await demoteOwner(tx, id)
      if (!(await updateMembership(tx, id, toId, OWNER_MEMBERSHIP))) await upsertMember(tx, id, toId, OWNER_MEMBERSHIP)
      await updateStoreOwner(tx, id, toId)
      await recordAudit(
        tx,
        { storeId: id },
        { what: 'store.owner_changed', thing: id, before: { ownerId: fromId }, after: { ownerId: toId } },
      )
    }
  },
  async 'user.deleted'(tx, { userId }) {
    assertOwnsNone('stores', await countStoresOwnedBy(tx, userId))
    for (const { id, projectId, ...before } of await listMemberships(tx, userId)) {
      await lockMembers(tx, id)
      await deleteMember(tx, id, userId)
      await withdrawInvitationsBy(tx, id, userId)
      await endSpanningKeys(tx, projectId, userId)
      await publish(tx, 'member.restricted', { projectId, storeId: id, userId })
      await recordAudit(tx, { storeId: id }, { what: 'member.removed', thing: userId, before })
    }
  },
}
