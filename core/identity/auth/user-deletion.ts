import { authErrors } from './auth.errors.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when a user transfers everything they own to another user. The previous owner stays an administrator of it. */
    'user.assets_transferred': { fromId: string; toId: string }
    /**
     * Published when a user is being deleted. Subscribers delete their data, or throw `person_owns_things` when something still needs the
     * user.
     */
    'user.deleted': { userId: string }
  }
}

/** Throws `person_owns_things` when `count` is not zero. `what` names the things in the plural. */
export function assertOwnsNone(what: string, count: number): void {
  if (count > 0) throw authErrors.ownsThings({ count, what })
}
