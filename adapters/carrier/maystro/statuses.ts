import type { StatusRule } from 'serai/carrier'

export const ABORTED = '50'
/** Status of an order that was aborted after pickup: the goods come back. Before pickup, code 50 is a cancellation. */
export const ABORTED_AWAY = '50 after pickup'
/** Code 50 of a callback: only the history, which callbacks lack, tells a cancellation from a return. */
export const ABORTED_SOMEHOW = '50 in a callback'
/** Status of a callback that names a parcel and no readable status. */
export const NEWS = 'callback without a status'

/** Statuses by the carrier's numbers, as text. */
export const statuses: Readonly<Record<string, StatusRule>> = {
  '4': 'submitted',
  '5': 'submitted',
  '6': 'submitted',
  '11': 'submitted',
  '15': 'submitted',
  '8': 'at_center',
  '9': 'in_transit',
  '22': 'at_center',
  '31': 'out_for_delivery',
  '32': 'delivery_failed',
  '12': 'on_hold',
  '42': 'on_hold',
  '53': 'on_hold',
  '41': 'delivered',
  '10': 'returning',
  '51': 'returning',
  '52': 'returned',
  [ABORTED]: 'cancelled',
  [ABORTED_AWAY]: 'returning',
  [ABORTED_SOMEHOW]: null,
  [NEWS]: null,
}

/** Created, requested, in process, pending, out of stock, ready: the goods have not left. */
const waiting = new Set(['4', '5', '6', '11', '12', '15'])
export const isWaiting = (status: string) => waiting.has(status)

/** In transit, on the way, with an agent, shipped, alerted, delivered, returning: the carrier has or had the goods. */
const away = new Set(['8', '9', '10', '22', '31', '32', '41', '51', '52'])
export const isAway = (status: string) => away.has(status)
