import type { Context } from '../../context.ts'
import type { Owner, StoreGuard } from '../../http/resource/resource.ts'
import { chosenStore, isShown } from '../stores/access.ts'

/** Who may touch what a store shows. */
export const guardOf =
  (context: Context): StoreGuard =>
  (caller, storeId, needed) =>
    chosenStore(context, caller, storeId, needed)

/** Of stores: members write, and who comes by sees what a table shows to anybody. */
export const ofStores = (context: Context): Owner => ({
  of: 'store',
  guard: guardOf(context),
  exists: (storeId) => isShown(context, storeId),
})
export const contentAccess = { read: 'viewer', write: 'admin', readScope: 'stores:read', writeScope: 'stores:write' } as const
