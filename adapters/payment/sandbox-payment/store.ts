import { type Checkout, type CheckoutStatus, isRow, sha256, text, toHex } from 'serai/payment'
import type { Sandbox } from './fields.ts'

export interface KeptRefund {
  readonly refundId: string
  readonly amount: number
  readonly externalId: string
  /** Missing in entries of older versions: the time of payment is used. */
  readonly at?: string
}

/** Checkout as this gateway stores it. */
export interface Kept extends Pick<Checkout, 'paymentId' | 'reference' | 'amount' | 'currency' | 'language'> {
  readonly externalId: string
  /** Address to which the payer returns, with the checkout's id. */
  readonly doneUrl: string
  readonly backUrl: string
  /** Secret of the page's address. */
  readonly pageKey: string
  /** Secret inside the page. */
  readonly proof: string
  readonly status: CheckoutStatus
  readonly expiresAt: string
  /** Time of the last change of status. */
  readonly at: string
  /** Amount that the payer gave, if it differs from the requested one. */
  readonly paid?: number
  readonly fee: number
  readonly refunds: readonly KeptRefund[]
}

const PREFIX = 'checkout:'
const ID_LETTERS = 24

/** Derives an id from the connection and a text, so that a repeated request finds its checkout. */
export const idOf = async ({ connectionId }: Sandbox, mark: string, words: string) =>
  `${mark}_${toHex(await sha256(`${connectionId}\n${words}`)).slice(0, ID_LETTERS)}`

/** Stores a checkout unless its id exists; returns the stored one. */
export async function storeNew(context: Sandbox, fresh: Kept): Promise<Kept> {
  if (await context.storage.add(PREFIX + fresh.externalId, fresh)) return fresh
  return (await readCheckout(context, fresh.externalId)) ?? fresh
}

/** Reads a checkout; marks it as expired once its time is over. */
export async function readCheckout(context: Sandbox, externalId: string): Promise<Kept | undefined> {
  const value = await context.storage.get(PREFIX + externalId)
  return isStoredCheckout(value) ? withExpiry(context, value) : undefined
}

const PAGE = 1_000

/** Iterates over all checkouts of the connection. */
export async function* allCheckouts({ storage }: Sandbox): AsyncIterable<Kept> {
  for (let after = ''; ; ) {
    const notes = await storage.list(PREFIX, { after, limit: PAGE })
    for (const { value } of notes) if (isStoredCheckout(value)) yield value
    if (notes.length < PAGE) return
    after = notes.at(-1)?.key ?? ''
  }
}

/** Checks a stored value: an older version of this adapter may lack fields, and its entries are ignored. */
const isStoredCheckout = (value: unknown): value is Kept =>
  isRow(value) && [value.externalId, value.pageKey, value.proof, value.status, value.expiresAt].every(text) && Array.isArray(value.refunds)

const withExpiry = (context: Sandbox, one: Kept): Kept =>
  one.status === 'open' && context.now() >= Date.parse(one.expiresAt) ? { ...one, status: 'expired', at: one.expiresAt } : one

/** Changes the current version of a checkout, and retries when another request changed it. Errors of `to` are passed on. */
export async function change(context: Sandbox, externalId: string, to: (one: Kept) => Kept): Promise<Kept | undefined> {
  for (;;) {
    const stored = await context.storage.get(PREFIX + externalId)
    if (!isStoredCheckout(stored)) return undefined
    const changed = to(withExpiry(context, stored))
    if (changed === stored || (await context.storage.replace(PREFIX + externalId, stored, changed))) return changed
  }
}
