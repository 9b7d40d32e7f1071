import type { CurrentStore } from '../../session/store.tsx'
import { gatewayPayoutPath } from '../cash/paths.ts'
import type { Attention } from './attention.ts'

type Kind = Attention['kind']
type Filter = Readonly<Record<string, string>>

/** Filters of the list of orders that show the things of a kind. */
const filters: { readonly [K in Kind]?: Filter } = {
  parcels_refused: { parcelStatus: 'created' },
  parcels_outcome_unknown: { parcelStatus: 'submitting' },
  payments_to_review: { paymentStatus: 'needs_attention' },
}

/** Returns the path at which things of a kind are solved; null where the user may not go there, or no page does it yet. */
export function solvingPath({ storeId, can }: CurrentStore, { kind, count, oldest }: Attention): string | null {
  if (kind === 'orders_to_confirm') return can('nextConfirmation') ? `/${storeId}/desk` : null
  if (kind === 'payouts_to_confirm' || kind === 'gateway_payouts_to_review') {
    if (!can('listCashHolders')) return null
    const isOne = kind === 'gateway_payouts_to_review' && count === 1 && can('readGatewayPayout')
    return isOne && oldest?.payoutId ? gatewayPayoutPath(storeId, oldest.payoutId) : `/${storeId}/cash`
  }
  if (kind === 'orders_to_send' || kind === 'orders_not_dispatched') return can('dispatchOrders') ? `/${storeId}/send` : null
  if (!can('listOrders')) return null
  // A return has no list of its own: the oldest is opened, and then the next.
  if (oldest?.orderId && (count === 1 || kind === 'returns_awaited')) return `/${storeId}/orders/${oldest.orderId}`
  const filter = filters[kind]
  // A single parcel without an order is in no list of orders.
  return filter && count !== 1 ? `/${storeId}/orders?${new URLSearchParams(filter)}` : null
}
