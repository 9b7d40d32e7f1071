import { AdapterError, printed } from 'serai/connector'
import { LABEL } from './api.ts'
import type { Context } from './fields.ts'

/** Storage key of the store's id. One owner often has several stores, each with its own key. */
const NOTE = 'store'

/** Notes the store's id, unless one is noted. */
export async function noteStore({ storage }: Context, storeId: unknown): Promise<void> {
  const said = printed(storeId, 100)
  if (said !== undefined) await storage.add(NOTE, said)
}

/** Returns the store's id; null until a key or an order has named it. */
export const storeOf = async ({ storage }: Context): Promise<string | null> => printed(await storage.get(NOTE), 100) ?? null

/** Throws when the new keys belong to another store, whose orders would mix with the first one's. */
export async function assertSameStore(context: Context): Promise<void> {
  const storeId = printed(context.credentials.storeId, 100)
  await noteStore(context, storeId)
  if (storeId === undefined || (await context.storage.get(NOTE)) === storeId) return
  throw new AdapterError(
    'unauthorized',
    `These keys are of another store of ${LABEL} than those before. Connect it under a name of its own.`,
  )
}
