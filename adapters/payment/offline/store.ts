import { type Checkout, type CheckoutStatus, isRow, sha256, text, toHex } from 'serai/payment'
import type { Context } from './fields.ts'

/** A checkout as this gateway keeps it: nobody else does. */
export interface Kept extends Omit<Checkout, 'customer' | 'webhookUrl' | 'proofUrl'> {
  readonly externalId: string
  readonly status: CheckoutStatus
  readonly expiresAt: string
  /** When its status came to be. */
  readonly at: string
  /** What is there, as people found it. */
  readonly paid?: number
}

const PREFIX = 'checkout:'
const ID_LETTERS = 24

/** The same payment has the same name, and no other connection has it. */
export const idOf = async ({ connectionId }: Context, paymentId: string) =>
  `off_${toHex(await sha256(`${connectionId}\n${paymentId}`)).slice(0, ID_LETTERS)}`

/** Keeps a checkout where there is none of its name; answers the one that is there in the end. */
export async function keepNew(context: Context, fresh: Kept): Promise<Kept> {
  if (await context.memory.add(PREFIX + fresh.externalId, fresh)) return fresh
  return (await kept(context, fresh.externalId)) ?? fresh
}

export async function kept(context: Context, externalId: string): Promise<Kept | undefined> {
  const value = await context.memory.get(PREFIX + externalId)
  return isKept(value) ? aged(context, value) : undefined
}

/** The note-book is this adapter's own; what an older version wrote lacks something and counts for nothing. */
const isKept = (value: unknown): value is Kept =>
  isRow(value) && [value.externalId, value.paymentId, value.status, value.currency, value.expiresAt].every(text)

/** One that nobody sent a receipt for in time is expired, whoever looks. */
const aged = (context: Context, one: Kept): Kept =>
  one.status === 'open' && context.now() >= Date.parse(one.expiresAt) ? { ...one, status: 'expired', at: one.expiresAt } : one

/** Changes a checkout as it is then: whoever else changes it at the same time is not overwritten. What `to` throws is its answer. */
export async function change(context: Context, externalId: string, to: (one: Kept) => Kept): Promise<Kept | undefined> {
  for (;;) {
    const stored = await context.memory.get(PREFIX + externalId)
    if (!isKept(stored)) return undefined
    const one = aged(context, stored)
    const changed = to(one)
    if (changed === one || (await context.memory.replace(PREFIX + externalId, stored, changed))) return changed
  }
}
