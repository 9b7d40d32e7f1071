import { printed, type Row, type ShopStatus, text } from 'serai/connector'
import { row } from './api.ts'
import type { Context } from './fields.ts'

/** Salla's own statuses; a shop's custom status names its parent among them. Others are open. */
const closedStatuses: Readonly<Record<string, ShopStatus>> = {
  completed: 'fulfilled',
  shipped: 'fulfilled',
  delivering: 'fulfilled',
  delivered: 'fulfilled',
  canceled: 'cancelled',
  restoring: 'cancelled',
  restored: 'cancelled',
}

export const slugOf = ({ status }: Row): string => text(row(status).slug)?.toLowerCase() ?? ''

/** Returns true for a draft and an order that awaits payment, which are not orders yet. */
export function isUnfinished({ settings }: Context, said: Row): boolean {
  const unpaid = (settings.unpaidStatuses ?? '').split(',').map((one) => one.trim().toLowerCase())
  const slug = slugOf(said)
  return said.draft === true || (slug !== '' && unpaid.includes(slug))
}

/** Returns the status; undefined when the order has none. */
export function statusIn(said: Row): { status: ShopStatus; statusWords: string } | undefined {
  const slug = slugOf(said)
  if (slug === '') return undefined
  return {
    status: Object.hasOwn(closedStatuses, slug) ? (closedStatuses[slug] ?? 'open') : 'open',
    statusWords: printed(slug, 100) ?? 'open',
  }
}
