import { type Checkout, type CheckoutStatus, isRow, sha256, text, toHex } from 'serai/payment'
import type { Context } from './fields.ts'

/** Checkout as this gateway stores it. */
export interface Kept extends Omit<Checkout, 'customer' | 'webhookUrl' | 'proofUrl'> {
  readonly externalId: string
  readonly status: CheckoutStatus
  readonly expiresAt: string
  /** Time of the last change of status. */
  readonly at: string
  /** Amount received, as entered by a user. */
  readonly paid?: number
}

const PREFIX = 'checkout:'
const ID_LETTERS = 24

/** Derives the checkout's id from the connection and the payment. */
export const idOf = async ({ connectionId }: Context, paymentId: string) =>
  `off_${toHex(await sha256(`${connectionId}\n${paymentId}`)).slice(0, ID_LETTERS)}`

/** Stores a checkout unless its id exists; returns the stored one. */
export async function storeNew(context: Context, fresh: Kept): Promise<Kept> {
  if (await context.storage.add(PREFIX + fresh.externalId, fresh)) return fresh
  return (await readCheckout(context, fresh.externalId)) ?? fresh
}

export async function readCheckout(context: Context, externalId: string): Promise<Kept | undefined> {
  const value = await context.storage.get(PREFIX + externalId)
  return isStoredCheckout(value) ? withExpiry(context, value) : undefined
}

/** Checks a stored value: an older version of this adapter may lack fields, and its entries are ignored. */
const isStoredCheckout = (value: unknown): value is Kept =>
  isRow(value) && [value.externalId, value.paymentId, value.status, value.currency, value.expiresAt].every(text)

/** Marks a checkout without a receipt as expired once its time is over. */
const withExpiry = (context: Context, one: Kept): Kept =>
  one.status === 'open' && context.now() >= Date.parse(one.expiresAt) ? { ...one, status: 'expired', at: one.expiresAt } : one

/** Changes the current version of a checkout, and retries when another request changed it. Errors of `to` are passed on. */
export async function change(context: Context, externalId: string, to: (one: Kept) => Kept): Promise<Kept | undefined> {
  for (;;) {
    const stored = await context.storage.get(PREFIX + externalId)
    if (!isStoredCheckout(stored)) return undefined
    const one = withExpiry(context, stored)
    const changed = to(one)
    if (changed === one || (await context.storage.replace(PREFIX + externalId, stored, changed))) return changed
  }
}
