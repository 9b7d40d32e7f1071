import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { assertDirectUser } from '../../../http/auth/principal.ts'
import { isEmailTrusted } from '../../../identity/auth/account.ts'
import { findUserByEmail } from '../../../identity/auth/auth.queries.ts'
import { evictCredentials } from '../../../identity/auth/credentials/authenticate.ts'
import { findUserThrottled } from '../../../identity/auth/credentials/negative-cache.ts'
import { endSpanningKeys } from '../../../identity/tenants/projects.ts'
import { HOUR_MS } from '../../../lib/durations.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { type ActingUser, lockMembersWithRight } from '../access.ts'
import { storeErrors } from '../stores.errors.ts'
import type { Store } from '../stores.model.ts'
import { findStore } from '../stores.queries.ts'
import { withdrawInvitationsBy } from './invitations.queries.ts'
import { MEMBER_LIMITS, type Member, type MemberChange, type Membership, type NewMember, OWNER_MEMBERSHIP } from './members.model.ts'
import {
  countMembers,
  deleteMember,
  demoteOwner,
  findMember,
  lockMembers,
  updateMembership,
  updateStoreOwner,
  upsertMember,
} from './members.queries.ts'

/** Member whose rights in a store may have been reduced. */
export interface RestrictedMember {
  readonly projectId: string
  readonly storeId: string
  readonly userId: string
}

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /**
     * Published after a member left or got another role or permissions. Work assigned to a user who may no longer do it must be reassigned.
     */
    'member.restricted': RestrictedMember
  }
}

type Dependencies = Pick<Context, 'sql' | 'shared'>

/** Members that one user may add within an hour, in all stores together. */
export const ADDED_MEMBERS_PER_HOUR = 30

const memberNotFoundError = () => notFound('A member, other than the owner, with this id')

/** Right to add, change and remove members and invitations. */
export const MANAGE_MEMBERS = ['admin', 'members:manage'] as const

/**
 * Throws `forbidden` where a user would grant permissions that they do not have. `own` is null for a user with all permissions of the role.
 */
export function assertCanGrant(own: Membership['permissions'], { permissions }: Pick<Membership, 'permissions'>): void {
  if (own === null || permissions?.every((given) => own.includes(given))) return
  throw storeErrors.permissionsBeyondOwn({ own: own.join(', ') })
}

/** Throws `forbidden` where a restricted admin would change an admin with more permissions. */
function assertOutranks(own: Membership['permissions'], { role, permissions }: Membership): void {
  if (own === null || role !== 'admin' || permissions?.every((given) => own.includes(given))) return
  throw storeErrors.permissionsOfMember()
}

/** Returns true for an admin with all permissions. Such an admin's open invitations and keys stay valid. */
const isUnrestrictedAdmin = ({ role, permissions }: Membership) => role === 'admin' && permissions === null

/** Reads the membership of a user. Throws `not_found` where the user is no member of the store. */
export async function readMembership({ sql }: Pick<Context, 'sql'>, storeId: string, userId: string): Promise<Member> {
  const [store, member] = await Promise.all([findStore(sql, storeId), findMember(sql, storeId, userId)])
  if (!store || !member) throw notFound('The store')
  return member
}

/**
 * Adds a user as a member, or changes the role of one. Permissions stay where they are left out. Throws `unknown_person` for an unconfirmed
 * account, because its address may belong to somebody else. Also throws `forbidden`, `not_found`, `conflict`, `rate_limited`,
 * `limit_reached`.
 */
export async function addMember(
  { shared, config }: Pick<Context, 'shared' | 'config'>,
  tx: Tx,
  store: Store,
  by: ActingUser,
  { email, role, permissions }: NewMember,
): Promise<Member> {
  await assertAddRate(shared, by)
  const own = await lockMembersWithRight(tx, store, by, MANAGE_MEMBERS)
  const user = await findUserThrottled(shared, by.id, () => findUserByEmail(tx, email))
  if (!user) throw notFound('A person with this e-mail address')
  const before = await findMember(tx, store.id, user.id)
  if (!before && !isEmailTrusted({ config }, user)) throw notConfirmedError()
  if (before?.role === 'owner') throw storeErrors.ownerFixed()
  const after = { role, permissions: permissions === undefined ? (before?.permissions ?? null) : permissions }
  assertCanGrant(own, after)
  if (before) assertOutranks(own, before)
  if (!before) await assertRoomForMember(tx, store.id)
  await upsertMember(tx, store.id, user.id, after)
  // An existing member may have fewer rights now. Cached credentials expire within a second.
  if (!isUnrestrictedAdmin(after)) await revokeRights(tx, store, user.id)
  if (before) await publishRestricted(tx, store, user.id)
  const member = await rereadMember(tx, store, user.id)
  await recordAudit(
    tx,
    { storeId: store.id },
    { what: before ? 'member.role_changed' : 'member.added', thing: user.id, ...(before && { before }), after: member },
  )
  return member
}

const notConfirmedError = () =>
  storeErrors.addressUnconfirmed({
    issues: [{ field: ['email'], message: 'This address is not confirmed.' }],
  })

/**
 * Throws `rate_limited` where the user adds too many members within the hour, so that nobody finds out accounts and names in bulk. It
 * counts addresses without an account too.
 */
async function assertAddRate(shared: Context['shared'], by: ActingUser): Promise<void> {
  const { count, resetMs } = await shared.countHit(`members:added:${by.id}`, HOUR_MS)
  if (count <= ADDED_MEMBERS_PER_HOUR) return
  throw storeErrors.tooManyAdditions(
    { addedMembersPerHour: ADDED_MEMBERS_PER_HOUR },
    {
      retryAfterSeconds: Math.ceil(resetMs / 1000),
    },
  )
}

/** Throws `limit_reached` or `plan_limit_reached` where the store has its maximum of members. The caller has locked them. */
export async function assertRoomForMember(tx: Tx, storeId: string): Promise<void> {
  await publish(tx, 'store.resource_requested', { storeId, what: 'members' })
  if ((await countMembers(tx, storeId)) >= MEMBER_LIMITS.members) throw storeErrors.tooManyMembers({ members: MEMBER_LIMITS.members })
}

/**
 * Changes the role or the permissions of a member. The role `owner` transfers the store. Permissions stay where they are left out. Throws
 * `forbidden`, `not_found`, `invalid_request`.
 */
export async function changeMember(
  context: Dependencies,
  store: Store,
  by: ActingUser,
  userId: string,
  change: MemberChange,
): Promise<Member> {
  if (change.role === 'owner') {
    if (change.permissions) throw storeErrors.ownerHasAll({ field: ['permissions'] })
    return transferStore(context, store, by, userId)
  }
  return changeRights(context, store, userId, async (tx) => {
    const own = await lockMembersWithRight(tx, store, by, MANAGE_MEMBERS)
    const before = await findMember(tx, store.id, userId)
    if (!before) throw memberNotFoundError()
    assertOutranks(own, before)
    const after = { permissions: before.permissions, ...change }
    assertCanGrant(own, after)
    if (!(await updateMembership(tx, store.id, userId, after))) throw memberNotFoundError()
    if (!isUnrestrictedAdmin(after)) await withdrawInvitationsBy(tx, store.id, userId)
    await publishRestricted(tx, store, userId)
    const member = await rereadMember(tx, store, userId)
    await recordAudit(tx, { storeId: store.id }, { what: 'member.role_changed', thing: userId, before, after: member })
    return member
  })
}

/**
 * Transfers a store to another member; the former owner stays as an admin. Only the owner may do so, in a direct session. Its project stays
 * in its tenant, which `PATCH /v1/tenants/{id}` transfers.
 */
function transferStore({ sql }: Dependencies, store: Store, by: ActingUser, userId: string): Promise<Member> {
  assertDirectUser(by)
  return transaction(sql, async (tx) => {
    await lockMembersWithRight(tx, store, by, ['owner'])
    const before = await findMember(tx, store.id, userId)
    if (!before) throw notFound('A member with this id')
    if (before.role === 'owner') return before
    await demoteOwner(tx, store.id)
    if (!(await updateMembership(tx, store.id, userId, OWNER_MEMBERSHIP))) throw memberNotFoundError()
    await updateStoreOwner(tx, store.id, userId)
    await recordAudit(
      tx,
      { storeId: store.id },
      { what: 'store.owner_changed', thing: store.id, before: store, after: { ownerId: userId } },
    )
    return rereadMember(tx, store, userId)
  })
}

/** Removes a member and revokes their keys. Throws `forbidden`, and `not_found` for an unknown member or the owner. */
export async function removeMember(context: Dependencies, store: Store, by: ActingUser, userId: string): Promise<void> {
  await changeRights(context, store, userId, async (tx) => {
    const own = await lockMembersWithRight(tx, store, by, MANAGE_MEMBERS)
    const before = await findMember(tx, store.id, userId)
    if (before) assertOutranks(own, before)
    await deleteMembership(tx, store, userId, before)
  })
}

/** Removes the user's own membership. Throws `not_found` for a user who is no member, `conflict` for the owner. */
export async function leaveStore(context: Dependencies, storeId: string, userId: string): Promise<void> {
  const store = await findStore(context.sql, storeId)
  if (!store) throw notFound('The store')
  await changeRights(context, store, userId, async (tx) => {
    await lockMembers(tx, storeId)
    const before = await findMember(tx, storeId, userId)
    if (!before) throw notFound('The store')
    if (before.role === 'owner') throw storeErrors.ownerCannotLeave()
    await deleteMembership(tx, store, userId, before)
  })
}

async function deleteMembership(tx: Tx, store: Store, userId: string, before: Member | undefined) {
  if (!before || !(await deleteMember(tx, store.id, userId))) throw memberNotFoundError()
  await withdrawInvitationsBy(tx, store.id, userId)
  await publishRestricted(tx, store, userId)
  await recordAudit(tx, { storeId: store.id }, { what: 'member.removed', thing: userId, before })
}

/** Changes a user's rights and ends the user's keys that reach beyond the store, in one transaction. */
async function changeRights<V>({ sql, shared }: Dependencies, store: Store, userId: string, change: (tx: Tx) => Promise<V>): Promise<V> {
  const { changed, ended } = await transaction(sql, async (tx) => ({
    changed: await change(tx),
    ended: await endSpanningKeys(tx, store.projectId, userId),
  }))
  if (ended.length > 0) await evictCredentials(shared, ended)
  return changed
}

const publishRestricted = (tx: Tx, { id: storeId, projectId }: Store, userId: string) =>
  publish(tx, 'member.restricted', { projectId, storeId, userId })

async function revokeRights(tx: Tx, store: Store, userId: string) {
  await endSpanningKeys(tx, store.projectId, userId)
  await withdrawInvitationsBy(tx, store.id, userId)
}

/** Reads a member after a write. Throws `not_found`. */
export async function rereadMember(tx: Tx, store: Store, userId: string): Promise<Member> {
  const member = await findMember(tx, store.id, userId)
  if (!member) throw memberNotFoundError()
  return member
}
