import { printed, type Row, type ShopStatus, text } from 'serai/connector'
import { row } from './api.ts'
import type { Context } from './fields.ts'

/** What shops make of Salla's statuses themselves says under which of these it stands. What is not named is open. */
const over: Readonly<Record<string, ShopStatus>> = {
  completed: 'fulfilled',
  shipped: 'fulfilled',
  delivering: 'fulfilled',
  delivered: 'fulfilled',
  canceled: 'cancelled',
  restoring: 'cancelled',
  restored: 'cancelled',
}

export const slugOf = ({ status }: Row): string => text(row(status).slug)?.toLowerCase() ?? ''

/** True of a draft, and of an order that waits for its payment: neither is an order yet. */
export function isUnfinished({ settings }: Context, said: Row): boolean {
  const unpaid = (settings.unpaidStatuses ?? '').split(',').map((one) => one.trim().toLowerCase())
  const slug = slugOf(said)
  return said.draft === true || (slug !== '' && unpaid.includes(slug))
}

/** Undefined where the order says no status. */
export function statusIn(said: Row): { status: ShopStatus; statusWords: string } | undefined {
  const slug = slugOf(said)
  if (slug === '') return undefined
  return { status: Object.hasOwn(over, slug) ? (over[slug] ?? 'open') : 'open', statusWords: printed(slug, 100) ?? 'open' }
}
