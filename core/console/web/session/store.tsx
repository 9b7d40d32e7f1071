import rights from 'serai:rights'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { OperationId } from '../api/client.ts'
import type { Me, Membership } from './me.ts'

const roles: readonly string[] = ['viewer', 'agent', 'admin', 'owner']

/** Store that a page works on, with the rights of the user in it. */
export interface CurrentStore extends Membership {
  /** Returns true if the user may call an operation of the API in this store. */
  can(operation: OperationId): boolean
}

const StoreContext = createContext<CurrentStore | null>(null)
/** Gives the pages below it their store. */
export const StoreProvider = StoreContext.Provider

/** Returns the store of the page. Throws outside a page of a store. */
export function useStore(): CurrentStore {
  const store = useContext(StoreContext)
  if (!store) throw new Error('This page needs a store.')
  return store
}

/** Adds the rights of the user to a membership. */
export const currentStore = (membership: Membership, me: Pick<Me, 'isAdmin'>): CurrentStore => ({
  ...membership,
  can: (operation) => me.isAdmin || isAllowed(rights[operation], membership),
})

/** Decides as the server does: the role must include the needed one, and a list of permissions narrows it. */
function isAllowed(right: readonly [role: string, permission?: string] | undefined, member: Pick<Membership, 'role' | 'permissions'>) {
  if (!right) return false
  const [role, permission] = right
  const isOfStore = roles.includes(role)
  if (isOfStore && roles.indexOf(member.role) < roles.indexOf(role)) return false
  if (member.permissions === null || !(isOfStore || role === 'anybody')) return role !== 'admin of the platform'
  return permission !== undefined && (member.permissions as readonly string[]).includes(permission)
}
