import { type Checkout, type CheckoutStatus, isRow, sha256, text, toHex } from 'serai/payment'
import type { Sandbox } from './fields.ts'

export interface KeptRefund {
  readonly refundId: string
  readonly amount: number
  readonly externalId: string
  /** Earlier versions kept none: then it was given back when it was paid. */
  readonly at?: string
}

/** A checkout as this gateway keeps it. */
export interface Kept extends Pick<Checkout, 'paymentId' | 'reference' | 'amount' | 'currency' | 'language'> {
  readonly externalId: string
  /** Where the payer goes afterwards, with the name of the checkout. */
  readonly doneUrl: string
  readonly backUrl: string
  /** Stands in the address of the page, and nowhere else. */
  readonly pageKey: string
  /** Stands in the page, and nowhere else. */
  readonly proof: string
  readonly status: CheckoutStatus
  readonly expiresAt: string
  /** When its status came to be. */
  readonly at: string
  /** What the payer gave, where it is another amount than was asked for. */
  readonly paid?: number
  readonly fee: number
  readonly refunds: readonly KeptRefund[]
}

const PREFIX = 'checkout:'
const ID_LETTERS = 24

/** The same words have the same name: a checkout that is asked for again is found, and no other connection has it. */
export const idOf = async ({ connectionId }: Sandbox, mark: string, words: string) =>
  `${mark}_${toHex(await sha256(`${connectionId}\n${words}`)).slice(0, ID_LETTERS)}`

/** Keeps a checkout where there is none of its name; answers the one that is there in the end. */
export async function keepNew(context: Sandbox, fresh: Kept): Promise<Kept> {
  if (await context.memory.add(PREFIX + fresh.externalId, fresh)) return fresh
  return (await kept(context, fresh.externalId)) ?? fresh
}

/** One whose time has passed is expired, whoever looks. */
export async function kept(context: Sandbox, externalId: string): Promise<Kept | undefined> {
  const value = await context.memory.get(PREFIX + externalId)
  return isKept(value) ? aged(context, value) : undefined
}

const PAGE = 1_000

/** All of the connection, some at a time. */
export async function* allKept({ memory }: Sandbox): AsyncIterable<Kept> {
  for (let after = ''; ; ) {
    const notes = await memory.list(PREFIX, { after, limit: PAGE })
    for (const { value } of notes) if (isKept(value)) yield value
    if (notes.length < PAGE) return
    after = notes.at(-1)?.key ?? ''
  }
}

/** The note-book is this adapter's own; what an older version wrote lacks something and counts for nothing. */
const isKept = (value: unknown): value is Kept =>
  isRow(value) && [value.externalId, value.pageKey, value.proof, value.status, value.expiresAt].every(text) && Array.isArray(value.refunds)

const aged = (context: Sandbox, one: Kept): Kept =>
  one.status === 'open' && context.now() >= Date.parse(one.expiresAt) ? { ...one, status: 'expired', at: one.expiresAt } : one

/** Changes a checkout as it is then: whoever else changes it at the same time is not overwritten. What `to` throws is its answer. */
export async function change(context: Sandbox, externalId: string, to: (one: Kept) => Kept): Promise<Kept | undefined> {
  for (;;) {
    const stored = await context.memory.get(PREFIX + externalId)
    if (!isKept(stored)) return undefined
    const changed = to(aged(context, stored))
    if (changed === stored || (await context.memory.replace(PREFIX + externalId, stored, changed))) return changed
  }
}
