import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { ownerOf, type Principal } from '../../http/auth/principal.ts'
import { isEmailTrusted } from '../auth/account.ts'
import { findUserThrottled } from '../auth/credentials/negative-cache.ts'
import { endSpanningKeysOfTenant } from './keys/keys.ts'
import { assertBelowTenantLimit, limitsOf } from './limits.ts'
import { tenantErrors } from './tenants.errors.ts'
import type { NamedMember, TenantRole } from './tenants.model.ts'
import { type LockedUser, listTenantMembers, lockUsers, replaceMembers, type TenantRow } from './tenants.queries.ts'

/** User and their role in a tenant. */
interface Membership {
  readonly userId: string
  readonly role: TenantRole
}

/** Locks the named users that exist against deletion. Call it before the tenant is locked. */
export const lockNamedUsers = (tx: Tx, named: readonly NamedMember[]): Promise<readonly LockedUser[]> =>
  lockUsers(
    tx,
    named.flatMap(({ email }) => (email === undefined ? [] : [email.toLowerCase()])),
    named.flatMap(({ userId }) => (userId === undefined ? [] : [userId])),
  )

/**
 * Replaces all members of a tenant. Only the owner can name another owner. Revokes spanning keys of users who lose rights, and returns
 * their hashes. Throws `unknown_person`, `forbidden`, `limit_reached` and `invalid_request`.
 */
export async function replaceTenantMembers(
  { shared, config }: Pick<Context, 'shared' | 'config'>,
  tx: Tx,
  caller: Principal,
  tenant: Pick<TenantRow, 'id' | 'ownerId' | 'limits'>,
  named: readonly NamedMember[],
  lockedUsers: readonly LockedUser[],
): Promise<string[]> {
  const needsLookUp = named.some(({ email }) => email !== undefined)
  const resolve = () => resolveMembers({ config }, tx, tenant.id, named, lockedUsers)
  const people = needsLookUp ? await findUserThrottled(shared, ownerOf(caller), resolve) : await resolve()
  const owners = people.filter(({ role }) => role === 'owner')
  const [owner] = owners
  if (!owner || owners.length > 1) throw tenantErrors.ownerAmbiguous({ field: ['people'] })
  if (new Set(people.map(({ userId }) => userId)).size < people.length) throw tenantErrors.personRepeated({ field: ['people'] })
  if (owner.userId !== tenant.ownerId && !isDirectOwner(caller, tenant)) throw tenantErrors.ownershipForbidden()
  assertBelowTenantLimit(limitsOf({ config }, tenant.limits).maxPeople, people.length - 1, 'people')
  await replaceMembers(
    tx,
    tenant.id,
    owner.userId,
    people.filter((one) => one !== owner),
  )
  return endSpanningKeysOfTenant(tx, tenant.id)
}

/**
 * Tells if the caller is the owner of a tenant or a platform administrator, signed in directly. Keys, apps and administrators who act for a
 * user do not count.
 */
export const isDirectOwner = ({ person, scopes }: Principal, { ownerId }: Pick<TenantRow, 'ownerId'>): boolean =>
  person !== null && person.adminId === undefined && scopes === null && (person.isAdmin || person.id === ownerId)

/** Finds the users of the named members. Throws `unknown_person` for one without a confirmed account. */
async function resolveMembers(
  context: Pick<Context, 'config'>,
  tx: Tx,
  tenantId: number,
  named: readonly NamedMember[],
  lockedUsers: readonly LockedUser[],
): Promise<Membership[]> {
  const byEmail = new Map(lockedUsers.map((one) => [one.email, one]))
  const there = new Set(lockedUsers.map(({ id }) => id))
  const known = new Set((await listTenantMembers(tx, tenantId)).map(({ userId }) => userId).filter((id) => there.has(id)))
  return named.map(({ email, userId, role }, at) => {
    if ((email === undefined) === (userId === undefined)) throw tenantErrors.personAmbiguous({ field: ['people', at] })
    const found = email === undefined ? undefined : byEmail.get(email.toLowerCase())
    const id = found?.id ?? userId
    if (id !== undefined && (known.has(id) || (found && isEmailTrusted(context, found)))) return { userId: id, role }
    if (email === undefined) throw tenantErrors.memberIdUnknown({ field: ['people', at, 'userId'] })
    throw tenantErrors[found ? 'emailUnconfirmed' : 'emailWithoutAccount']({ email }, { field: ['people', at, 'email'] })
  })
}
