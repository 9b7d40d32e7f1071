import type { Context } from '../../context.ts'
import { recheckAccess } from '../../http/body/body.ts'
import { findPublicUser } from '../../identity/auth/account.ts'
import { type ActingUser, readStoreRights, type StoreRights } from '../../shop/stores/access.ts'
import { liveErrors } from './live.errors.ts'
import { type Topic, topicPermissions, topics } from './live.model.ts'
import type { LiveStream } from './live-stream.ts'

/**
 * Opens the live stream of a member of a store, with the topics that the member may see. It ends as soon as the session or the rights
 * change. Throws `not_found` for a foreign store, `rate_limited` and `unavailable`.
 */
export async function openLive(context: Context, user: ActingUser, storeId: string, request: Request): Promise<LiveStream> {
  const rights = await readStoreRights(context.sql, user, storeId)
  return context.liveHub.open(
    { projectId: rights.projectId, userId: user.id },
    {
      topics: visibleTopics(rights),
      async checkAccess() {
        await recheckAccess(request)
        const now = await findPublicUser(context.sql, user.id)
        if (!now || now.isAdmin !== user.isAdmin || !isSame(rights, await readStoreRights(context.sql, user, storeId)))
          throw liveErrors.accessChanged()
      },
    },
  )
}

/** Returns the topics that a member with these rights may see. */
function visibleTopics({ permissions }: StoreRights): ReadonlySet<Topic> {
  return new Set(
    topics.filter((topic) => {
      const needed = topicPermissions[topic]
      return needed === null || permissions === null || permissions.includes(needed)
    }),
  )
}

const isSame = (one: StoreRights, other: StoreRights) => one.role === other.role && String(one.permissions) === String(other.permissions)
