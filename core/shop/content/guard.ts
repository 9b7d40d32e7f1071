import type { Context } from '../../context.ts'
import type { Owner, StoreGuard } from '../../http/resource.ts'
import { chosenStore } from '../stores/access.ts'
import { findStore } from '../stores/stores.queries.ts'

/** Who may touch what a store shows. */
export const guardOf =
  (context: Context): StoreGuard =>
  (caller, storeId, needed) =>
    chosenStore(context, caller, storeId, needed)

export const storeExists =
  ({ sql }: Pick<Context, 'sql'>) =>
  async (storeId: string) =>
    (await findStore(sql, storeId)) !== undefined

/** Of stores: members write, and who comes by sees what a table shows to anybody. */
export const ofStores = (context: Context): Owner => ({ of: 'store', guard: guardOf(context), exists: storeExists(context) })
export const contentAccess = { read: 'viewer', write: 'admin', readScope: 'stores:read', writeScope: 'stores:write' } as const
