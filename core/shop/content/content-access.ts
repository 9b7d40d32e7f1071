import type { Context } from '../../context.ts'
import type { Owner, StoreGuard } from '../../http/resource/resource.ts'
import { isStoreVisible, resolveStore } from '../stores/access.ts'

/** Creates the guard that admits members and API keys of a store to its content. */
export const storeGuardOf =
  (context: Context): StoreGuard =>
  (caller, storeId, needed) =>
    resolveStore(context, caller, storeId, needed)

/** Creates the owner of content that members write and the public may read. */
export const storeOwnerOf = (context: Context): Owner => ({
  of: 'store',
  guard: storeGuardOf(context),
  exists: (storeId) => isStoreVisible(context, storeId),
})
/** Roles and scopes that reading and writing content require. */
export const contentAccess = { read: 'viewer', write: 'admin', readScope: 'stores:read', writeScope: 'stores:write' } as const
