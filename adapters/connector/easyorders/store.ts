import { AdapterError, printed } from 'serai/connector'
import { LABEL } from './api.ts'
import type { Context } from './fields.ts'

/** Under which it is noted whose orders a connection brings over: one owner often has several stores, each with a key of its own. */
const NOTE = 'store'

/** Notes which store it is, where nobody has said it before. */
export async function noteStore({ memory }: Context, storeId: unknown): Promise<void> {
  const said = printed(storeId, 100)
  if (said !== undefined) await memory.add(NOTE, said)
}

/** Whose orders they are; null until a key or an order has said it. */
export const storeOf = async ({ memory }: Context): Promise<string | null> => printed(await memory.get(NOTE), 100) ?? null

/** Throws where the keys say that they are of another store than the one before: its orders would come in place of that one's. */
export async function keepsStore(context: Context): Promise<void> {
  const storeId = printed(context.credentials.storeId, 100)
  await noteStore(context, storeId)
  if (storeId === undefined || (await context.memory.get(NOTE)) === storeId) return
  throw new AdapterError(
    'unauthorized',
    `These keys are of another store of ${LABEL} than those before. Connect it under a name of its own.`,
  )
}
