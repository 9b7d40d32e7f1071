import type { Context } from '../../context.ts'
import type { Tx } from '../../data/sql.ts'
import { ownerOf, type Principal } from '../../http/auth/principal.ts'
import { ApiError, invalid } from '../../http/errors/errors.ts'
import { isBelieved } from '../auth/account.ts'
import { lookUpPeople } from '../auth/credentials/negative-cache.ts'
import { endSpanningKeysOfTenant } from './keys/keys.ts'
import { assertRoom, limitsOf } from './limits.ts'
import type { NamedPerson, TenantRole } from './tenants.model.ts'
import { type HeldPerson, holdPeople, listPeople, replacePeople, type TenantRow } from './tenants.queries.ts'

interface Belonging {
  readonly userId: string
  readonly role: TenantRole
}

/** Those of the named who have an account, which none of them loses until the transaction ends. Before the tenant is held. */
export const holdNamed = (tx: Tx, named: readonly NamedPerson[]): Promise<readonly HeldPerson[]> =>
  holdPeople(
    tx,
    named.flatMap(({ email }) => (email === undefined ? [] : [email.toLowerCase()])),
    named.flatMap(({ userId }) => (userId === undefined ? [] : [userId])),
  )

/**
 * Who belongs to a tenant from now on, all of them; who it becomes the owner of is the owner's to say. Whatever keys of those who may do less
 * could do beyond one project ends with it: gives their hashes.
 */
export async function changePeople(
  { shared, config }: Pick<Context, 'shared' | 'config'>,
  tx: Tx,
  caller: Principal,
  tenant: Pick<TenantRow, 'id' | 'ownerId' | 'limits'>,
  named: readonly NamedPerson[],
  held: readonly HeldPerson[],
): Promise<string[]> {
  const looksUp = named.some(({ email }) => email !== undefined)
  const look = () => identify({ config }, tx, tenant.id, named, held)
  const people = looksUp ? await lookUpPeople(shared, ownerOf(caller), look) : await look()
  const owners = people.filter(({ role }) => role === 'owner')
  const [owner] = owners
  if (!owner || owners.length > 1) throw invalid('/body/people', 'Name exactly one owner among them.')
  if (new Set(people.map(({ userId }) => userId)).size < people.length) throw invalid('/body/people', 'Name each person once.')
  if (owner.userId !== tenant.ownerId && !isOwner(caller, tenant))
    throw new ApiError('forbidden', 'Only its owner, signed in himself, gives a tenant to another person.')
  assertRoom(limitsOf(tenant.limits).maxPeople, people.length - 1, 'people')
  await replacePeople(
    tx,
    tenant.id,
    owner.userId,
    people.filter((one) => one !== owner),
  )
  return endSpanningKeysOfTenant(tx, tenant.id)
}

/** In person: not through a key, nor an app, nor by an administrator in his name. */
export const isOwner = ({ person, scopes }: Principal, { ownerId }: Pick<TenantRow, 'ownerId'>): boolean =>
  person !== null && person.adminId === undefined && scopes === null && (person.isAdmin || person.id === ownerId)

async function identify(
  context: Pick<Context, 'config'>,
  tx: Tx,
  tenantId: number,
  named: readonly NamedPerson[],
  held: readonly HeldPerson[],
): Promise<Belonging[]> {
  const byEmail = new Map(held.map((one) => [one.email, one]))
  const there = new Set(held.map(({ id }) => id))
  const known = new Set((await listPeople(tx, tenantId)).map(({ userId }) => userId).filter((id) => there.has(id)))
  return named.map(({ email, userId, role }, at) => {
    if ((email === undefined) === (userId === undefined)) throw invalid(`/body/people/${at}`, 'Name a person by email or by userId.')
    const found = email === undefined ? undefined : byEmail.get(email.toLowerCase())
    const id = found?.id ?? userId
    if (id !== undefined && (known.has(id) || (found && isBelieved(context, found)))) return { userId: id, role }
    throw email === undefined
      ? unknown(`/body/people/${at}/userId`, 'Nobody of this tenant has this id. Name who is new by e-mail address.')
      : unknown(`/body/people/${at}/email`, `${lackOf(found)} the e-mail address ${email}. They do that first; then name them again.`)
  })
}

const lackOf = (found: HeldPerson | undefined) => (found ? 'Nobody has confirmed' : 'Nobody has signed up with')

const unknown = (path: string, message: string) => new ApiError('unknown_person', message, { details: [{ path, message }] })
