import type { Context } from '../context.ts'
import type { Caller } from '../http/auth.ts'
import { ApiError, invalid, notFound } from '../http/errors.ts'
import { atLeast, type Role } from '../http/scopes.ts'
import type { Store } from './stores.model.ts'
import { findRole, findStore, findStoreOfProject } from './stores.queries.ts'

/**
 * The store, where this caller has at least `needed` in it: a member by role, an API key by its project (its scope was checked at
 * the edge). Administrators of the platform may do anything. Somebody else's store does not exist: 404; too small a role: 403.
 */
export async function accessStore({ sql }: Pick<Context, 'sql'>, caller: Caller, storeId: string, needed: Role): Promise<Store> {
  const [store, role] = await Promise.all([
    findStore(sql, storeId),
    caller.kind === 'user' ? findRole(sql, storeId, caller.userId) : undefined,
  ])
  if (!store) throw notFound('The store')
  if (caller.kind === 'project') {
    if (store.projectId !== caller.projectId) throw notFound('The store')
    return store
  }
  if (caller.isAdmin) return store
  if (!role) throw notFound('The store')
  if (!atLeast(role, needed)) throw new ApiError('forbidden', `This needs the role ${needed} in the store; you are ${role}.`)
  return store
}

/** The store a list is about: the named one; a key may leave it out, since its project has but one. */
export async function chosenStore(
  context: Pick<Context, 'sql'>,
  caller: Caller,
  storeId: string | undefined,
  needed: Role,
): Promise<Store> {
  if (storeId !== undefined) return accessStore(context, caller, storeId, needed)
  const store = caller.kind === 'project' ? await findStoreOfProject(context.sql, caller.projectId) : undefined
  if (!store) throw invalid('/query/storeId', 'Say which store.')
  return store
}
