import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { assertDirectUser } from '../../../http/auth/principal.ts'
import { ApiError, invalid, notFound } from '../../../http/errors/errors.ts'
import { isBelieved } from '../../../identity/auth/account.ts'
import { findUserByEmail } from '../../../identity/auth/auth.queries.ts'
import { forgetCredentials } from '../../../identity/auth/credentials/authenticate.ts'
import { lookUpPeople } from '../../../identity/auth/credentials/negative-cache.ts'
import { endSpanningKeys } from '../../../identity/tenants/projects.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { type Asker, holdFor } from '../access.ts'
import type { Store } from '../stores.model.ts'
import { findStore } from '../stores.queries.ts'
import { withdrawInvitationsBy } from './invitations.queries.ts'
import { type Member, type MemberChange, type Membership, type NewMember, OWNER, PEOPLE_MAX } from './members.model.ts'
import {
  changeMembership,
  countMembers,
  deleteMember,
  demoteOwner,
  findMember,
  holdPeople,
  upsertMember,
  writeOwner,
} from './members.queries.ts'

/** Somebody of whom rights in a store may have been taken. */
export interface FewerRights {
  readonly projectId: string
  readonly storeId: string
  readonly userId: string
}

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** A member left, or has another role or other permissions: what he was to do, and may not any more, is somebody else's to do. */
    'member.restricted': FewerRights
  }
}

type Keeper = Pick<Context, 'sql' | 'shared'>

const HOUR_MS = 3_600_000
/** By one person, in all stores. */
export const ADDED_AN_HOUR = 30

const noMember = () => notFound('A member, other than the owner, with this id')

/** To change who works in a store, and as what. */
export const managing = ['admin', 'members:manage'] as const

/** Throws `forbidden` where somebody would give what he was not given himself. */
export function assertHas(own: Membership['permissions'], { permissions }: Pick<Membership, 'permissions'>): void {
  if (own === null || permissions?.every((given) => own.includes(given))) return
  throw new ApiError('forbidden', `Nobody gives what he may not do himself. Give "permissions", of these: ${own.join(', ')}.`)
}

/** Throws `forbidden` where an admin would take from another who may do more than he. */
function assertOver(own: Membership['permissions'], { role, permissions }: Membership): void {
  if (own === null || role !== 'admin' || permissions?.every((given) => own.includes(given))) return
  throw new ApiError('forbidden', 'This member may do more in the store than you: somebody who may do all of it has to change that.')
}

/** He may do all that an admin may; then what he invited others to, and what his keys reach, is his to give. */
const isWholeAdmin = ({ role, permissions }: Membership) => role === 'admin' && permissions === null

/** What somebody is in a store. Throws `not_found` where he is no member of it. */
export async function readMembership({ sql }: Pick<Context, 'sql'>, storeId: string, userId: string): Promise<Member> {
  const [store, member] = await Promise.all([findStore(sql, storeId), findMember(sql, storeId, userId)])
  if (!store || !member) throw notFound('The store')
  return member
}

/**
 * Makes a person a member, or gives him another role. Permissions that are not said stay as they are. Throws `unknown_person` where the account may
 * be of somebody who only typed the address.
 */
export async function addMember(
  { shared, config }: Pick<Context, 'shared' | 'config'>,
  tx: Tx,
  store: Store,
  by: Asker,
  { email, role, permissions }: NewMember,
): Promise<Member> {
  await assertPace(shared, by)
  const own = await holdFor(tx, store, by, managing)
  const user = await lookUpPeople(shared, by.id, () => findUserByEmail(tx, email))
  if (!user) throw notFound('A person with this e-mail address')
  const before = await findMember(tx, store.id, user.id)
  if (!before && !isBelieved({ config }, user)) throw notConfirmed()
  if (before?.role === 'owner') throw new ApiError('conflict', 'The owner of the store stays its owner.')
  const after = { role, permissions: permissions === undefined ? (before?.permissions ?? null) : permissions }
  assertHas(own, after)
  if (before) assertOver(own, before)
  if (!before) await assertRoomForMember(tx, store.id)
  await upsertMember(tx, store.id, user.id, after)
  // Who is a member already may have less right now. Credentials are remembered for a second.
  if (!isWholeAdmin(after)) await endRights(tx, store, user.id)
  if (before) await restricted(tx, store, user.id)
  const member = await reread(tx, store, user.id)
  await recordAudit(
    tx,
    { storeId: store.id },
    { what: before ? 'member.role_changed' : 'member.added', thing: user.id, ...(before && { before }), after: member },
  )
  return member
}

const notConfirmed = () =>
  new ApiError('unknown_person', 'The person confirms the e-mail address first, by the mail that came to it. Or invite it.', {
    details: [{ path: '/body/email', message: 'Nobody has confirmed this address.' }],
  })

/** Nobody adds all whose names he would like to know: throws `rate_limited` whether or not this one has an account. */
async function assertPace(shared: Context['shared'], by: Asker): Promise<void> {
  const { count, resetMs } = await shared.hit(`members:added:${by.id}`, HOUR_MS)
  if (count <= ADDED_AN_HOUR) return
  throw new ApiError(
    'rate_limited',
    `One person adds at most ${ADDED_AN_HOUR} members an hour. Invite people: POST /v1/stores/{id}/invites.`,
    {
      headers: { 'retry-after': String(Math.ceil(resetMs / 1000)) },
    },
  )
}

/** Throws `limit_reached`, or `plan_limit_reached`, where the store has as many people as it may. The caller holds them. */
export async function assertRoomForMember(tx: Tx, storeId: string): Promise<void> {
  await publish(tx, 'store.growing', { storeId, what: 'members' })
  if ((await countMembers(tx, storeId)) >= PEOPLE_MAX.members)
    throw new ApiError('limit_reached', `A store has at most ${PEOPLE_MAX.members} members. Remove some first.`)
}

/** Gives a member another role, or other permissions; the role of the owner gives him the store. Permissions that are not said stay as they are. */
export async function changeMember(context: Keeper, store: Store, by: Asker, userId: string, change: MemberChange): Promise<Member> {
  if (change.role === 'owner') {
    if (change.permissions) throw invalid('/body/permissions', 'Nothing is kept from an owner.')
    return giveStore(context, store, by, userId)
  }
  return lessRight(context, store, userId, async (tx) => {
    const own = await holdFor(tx, store, by, managing)
    const before = await findMember(tx, store.id, userId)
    if (!before) throw noMember()
    assertOver(own, before)
    const after = { permissions: before.permissions, ...change }
    assertHas(own, after)
    if (!(await changeMembership(tx, store.id, userId, after))) throw noMember()
    if (!isWholeAdmin(after)) await withdrawInvitationsBy(tx, store.id, userId)
    await restricted(tx, store, userId)
    const member = await reread(tx, store, userId)
    await recordAudit(tx, { storeId: store.id }, { what: 'member.role_changed', thing: userId, before, after: member })
    return member
  })
}

/**
 * The store has another owner from now on, and the one before stays as an admin. Its project stays in its tenant, which is given to somebody
 * else with `PATCH /v1/tenants/{id}`.
 */
function giveStore({ sql }: Keeper, store: Store, by: Asker, userId: string): Promise<Member> {
  assertDirectUser(by)
  return transaction(sql, async (tx) => {
    await holdFor(tx, store, by, ['owner'])
    const before = await findMember(tx, store.id, userId)
    if (!before) throw notFound('A member with this id')
    if (before.role === 'owner') return before
    await demoteOwner(tx, store.id)
    if (!(await changeMembership(tx, store.id, userId, OWNER))) throw noMember()
    await writeOwner(tx, store.id, userId)
    await recordAudit(
      tx,
      { storeId: store.id },
      { what: 'store.owner_changed', thing: store.id, before: store, after: { ownerId: userId } },
    )
    return reread(tx, store, userId)
  })
}

export async function removeMember(context: Keeper, store: Store, by: Asker, userId: string): Promise<void> {
  await lessRight(context, store, userId, async (tx) => {
    const own = await holdFor(tx, store, by, managing)
    const before = await findMember(tx, store.id, userId)
    if (before) assertOver(own, before)
    await takeOut(tx, store, userId, before)
  })
}

/** A person leaves a store of his own will; its owner gives it to somebody first. Throws `not_found` where he is no member. */
export async function leaveStore(context: Keeper, storeId: string, userId: string): Promise<void> {
  const store = await findStore(context.sql, storeId)
  if (!store) throw notFound('The store')
  await lessRight(context, store, userId, async (tx) => {
    await holdPeople(tx, storeId)
    const before = await findMember(tx, storeId, userId)
    if (!before) throw notFound('The store')
    if (before.role === 'owner')
      throw new ApiError('conflict', 'You own this store: make another member its owner first, or delete the store.')
    await takeOut(tx, store, userId, before)
  })
}

async function takeOut(tx: Tx, store: Store, userId: string, before: Member | undefined) {
  if (!before || !(await deleteMember(tx, store.id, userId))) throw noMember()
  await withdrawInvitationsBy(tx, store.id, userId)
  await restricted(tx, store, userId)
  await recordAudit(tx, { storeId: store.id }, { what: 'member.removed', thing: userId, before })
}

/** Whatever a person's keys could do beyond the store ends with his right in it. */
async function lessRight<V>({ sql, shared }: Keeper, store: Store, userId: string, change: (tx: Tx) => Promise<V>): Promise<V> {
  const { changed, ended } = await transaction(sql, async (tx) => ({
    changed: await change(tx),
    ended: await endSpanningKeys(tx, store.projectId, userId),
  }))
  if (ended.length > 0) await forgetCredentials(shared, ended)
  return changed
}

const restricted = (tx: Tx, { id: storeId, projectId }: Store, userId: string) =>
  publish(tx, 'member.restricted', { projectId, storeId, userId })

async function endRights(tx: Tx, store: Store, userId: string) {
  await endSpanningKeys(tx, store.projectId, userId)
  await withdrawInvitationsBy(tx, store.id, userId)
}

export async function reread(tx: Tx, store: Store, userId: string): Promise<Member> {
  const member = await findMember(tx, store.id, userId)
  if (!member) throw noMember()
  return member
}
