import type { StatusRule } from 'serai/carrier'

export const ABORTED = '50'
/** An order that is aborted once the carrier has the goods comes back; one that still lies with us is simply cancelled. */
export const ABORTED_AWAY = '50 after pickup'
/** Which of the two it is shows the history, which a callback does not hold. */
export const ABORTED_SOMEHOW = '50 in a callback'
/** A callback that names a parcel and says nothing else that can be read. */
export const NEWS = 'callback without a status'

/** The carrier's numbers, as words. */
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

/** Created, asked for, in process, pending, out of stock, ready: the goods have not left. */
const waiting = new Set(['4', '5', '6', '11', '12', '15'])
export const isWaiting = (status: string) => waiting.has(status)

/** Waiting for transit, on its way, with an agent, shipped, alerted, delivered, coming back: the carrier has or had the goods. */
const away = new Set(['8', '9', '10', '22', '31', '32', '41', '51', '52'])
export const isAway = (status: string) => away.has(status)
