import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import type { Role } from '../../http/scopes.ts'
import { findUserByEmail } from '../../identity/auth/auth.queries.ts'
import { forgetCredentials } from '../../identity/auth/authenticate.ts'
import { endSpanningKeys } from '../../identity/projects/projects.ts'
import { noted } from '../../platform/audit/noted.ts'
import { type Asker, holdFor } from './access.ts'
import { withdrawInvitationsBy } from './invitations.queries.ts'
import { type Member, type NewMember, PEOPLE_MAX } from './members.model.ts'
import { changeRole, countMembers, deleteMember, demoteOwner, findMember, upsertMember, writeOwner } from './members.queries.ts'
import type { Store } from './stores.model.ts'

type Keeper = Pick<Context, 'sql' | 'shared'>

const noMember = () => notFound('A member, other than the owner, with this id')

/** Makes a person a member, or gives him another role. */
export async function addMember(tx: Tx, store: Store, by: Asker, { email, role }: NewMember): Promise<Member> {
  await holdFor(tx, store, by, 'admin')
  const user = await findUserByEmail(tx, email)
  if (!user) throw notFound('A person with this e-mail address')
  const before = await findMember(tx, store.id, user.id)
  if (before?.role === 'owner') throw new ApiError('conflict', 'The owner of the store stays its owner.')
  if (!before) await assertRoomForMember(tx, store.id)
  await upsertMember(tx, store.id, user.id, role)
  // Who is a member already may have less right now. Credentials are remembered for a second.
  if (role !== 'admin') await endRights(tx, store, user.id)
  const member = await reread(tx, store, user.id)
  await noted(
    tx,
    { storeId: store.id },
    { what: before ? 'member.role_changed' : 'member.added', thing: user.id, ...(before && { before }), after: member },
  )
  return member
}

/** Throws `limit_reached` where the store has as many people as it may. The caller holds them. */
export async function assertRoomForMember(tx: Tx, storeId: string): Promise<void> {
  if ((await countMembers(tx, storeId)) >= PEOPLE_MAX.members)
    throw new ApiError('limit_reached', `A store has at most ${PEOPLE_MAX.members} members. Remove some first.`)
}

/** Gives a member another role; the role of the owner gives him the store. */
export async function changeMember(context: Keeper, store: Store, by: Asker, userId: string, role: Role): Promise<Member> {
  if (role === 'owner') return giveStore(context, store, by, userId)
  return lessRight(context, store, userId, async (tx) => {
    await holdFor(tx, store, by, 'admin')
    const before = await findMember(tx, store.id, userId)
    if (!before || !(await changeRole(tx, store.id, userId, role))) throw noMember()
    if (role !== 'admin') await withdrawInvitationsBy(tx, store.id, userId)
    const member = await reread(tx, store, userId)
    await noted(tx, { storeId: store.id }, { what: 'member.role_changed', thing: userId, before, after: member })
    return member
  })
}

/**
 * The store has another owner from now on, and the one before stays as an admin. Its project stays in its tenant, which is given to somebody
 * else with `PATCH /v1/tenants/{id}`.
 */
function giveStore({ sql }: Keeper, store: Store, by: Asker, userId: string): Promise<Member> {
  return transaction(sql, async (tx) => {
    await holdFor(tx, store, by, 'owner')
    const before = await findMember(tx, store.id, userId)
    if (!before) throw notFound('A member with this id')
    if (before.role === 'owner') return before
    await demoteOwner(tx, store.id)
    if (!(await changeRole(tx, store.id, userId, 'owner'))) throw noMember()
    await writeOwner(tx, store.id, userId)
    await noted(tx, { storeId: store.id }, { what: 'store.owner_changed', thing: store.id, before: store, after: { ownerId: userId } })
    return reread(tx, store, userId)
  })
}

export async function removeMember(context: Keeper, store: Store, by: Asker, userId: string): Promise<void> {
  await lessRight(context, store, userId, async (tx) => {
    await holdFor(tx, store, by, 'admin')
    const before = await findMember(tx, store.id, userId)
    if (!before || !(await deleteMember(tx, store.id, userId))) throw noMember()
    await withdrawInvitationsBy(tx, store.id, userId)
    await noted(tx, { storeId: store.id }, { what: 'member.removed', thing: userId, before })
  })
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

async function endRights(tx: Tx, store: Store, userId: string) {
  await endSpanningKeys(tx, store.projectId, userId)
  await withdrawInvitationsBy(tx, store.id, userId)
}

export async function reread(tx: Tx, store: Store, userId: string): Promise<Member> {
  const member = await findMember(tx, store.id, userId)
  if (!member) throw noMember()
  return member
}
