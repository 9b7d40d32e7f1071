import { defineErrors, type Values } from '../lib/errors/define-errors.ts'

/** Errors of orders: the code of each, and the sentence that a caller reads. */
export const orderErrors = defineErrors({
  assigneeUnknown: ['unknown_person', 'Orders can be assigned only to members of the store who may confirm them; see details.'],
  orderRepeated: ['invalid_request', 'This order is named twice. Name it once.'],
  versionDiffers: [
    'version_conflict',
    ({ expected, version }: Values<'expected' | 'version'>) =>
      `The order has changed: it has version ${version}, not ${expected}. Read it again, then repeat the change.`,
  ],
  nothingToChange: ['invalid_request', 'Give at least one field to change.'],
  orderSent: [
    'invalid_transition',
    ({ status }: Values<'status'>) => `The order is ${status}: its customer, address and lines can no longer change. Unsend it first.`,
  ],
  transitionImpossible: [
    'invalid_transition',
    ({ status, possible, to }: Values<'status' | 'possible' | 'to'>) => `An order that is ${status} can become ${possible}; not ${to}.`,
  ],
  returnCancelled: [
    'invalid_transition',
    `The return of the goods that it replaces was cancelled. Start a new exchange: POST /v1/orders/return.`,
  ],
  sentOrderNotDeletable: ['invalid_transition', 'The order is with a carrier. Unsend it first, then delete it.'],
  orderBeingDelivered: ['invalid_transition', 'The carrier is delivering the order. It cannot be deleted until its goods are back.'],
  orderReturning: ['invalid_transition', 'The order is on its way back. Delete it when it has arrived.'],
  deliveredOrderNotDeletable: ['invalid_transition', 'A delivered order cannot be deleted, because its parcel may still come back.'],
  parcelStillMoving: [
    'invalid_transition',
    ({ status, parcelStatus }: Values<'status' | 'parcelStatus'>) =>
      `The order is ${status}, and its parcel is ${parcelStatus}. Delete it when the parcel has arrived or is cancelled.`,
  ],
  submissionUnderWay: [
    'outcome_unknown',
    'The order is being submitted to its carrier, and the outcome is not known yet. Try again in a minute.',
  ],
  membersOnly: ['unauthenticated', 'This store accepts orders only from its members and API keys.'],
  collectsWrong: [
    'invalid_request',
    ({ collects }: Values<'collects'>) => `This parcel must collect ${collects}: the parcels of an order together collect the amount due.`,
  ],
  orderWithCarrier: [
    'order_already_sent',
    ({ what, courierId }: Values<'what' | 'courierId'>) => `${what} is with ${courierId} already. Unsend it there first.`,
  ],
  personErased: ['conflict', 'The personal data of this order was erased, so it can no longer be delivered.'],
  amountUncertain: [
    'payment_needs_attention',
    ({ id }: Values<'id'>) =>
      `A payment of this order needs attention, so the amount to collect is not known. See GET /v1/orders/${id}/payments, then accept or refund it.`,
  ],
  lineUnknown: ['invalid_request', ({ lineCount }: Values<'lineCount'>) => `The order has ${lineCount} lines. Count them from 0.`],
  lineRepeated: ['invalid_request', 'This line appears twice. Name it once.'],
  orderNotSendable: [
    'invalid_transition',
    ({ status, openStatuses }: Values<'status' | 'openStatuses'>) =>
      `The order is ${status}; only one that is ${openStatuses} can be sent.`,
  ],
  sentAsOneParcel: ['order_already_sent', 'All of the order travels in one parcel. Unsend it first, then send it in parts.'],
  tooManyParts: [
    'limit_reached',
    ({ partsMax }: Values<'partsMax'>) => `An order is sent in at most ${partsMax} parts. Cancel one of them first.`,
  ],
  partDiffers: ['invalid_request', ({ name }: Values<'name'>) => `The part "${name}" has other items. Give this one another name.`],
  everythingSent: ['order_already_sent', 'All of the order is sent or given up already.'],
  partTooLarge: ['order_already_sent', 'The parcel has more items than are left to send; see details. Lower the quantities.'],
  orderNotConfirmed: [
    'order_not_confirmed',
    ({ status }: Values<'status'>) =>
      `The order is ${status}, and the store sends only confirmed orders. Confirm it first, or send it with force: true.`,
  ],
  placeUnknown: ['place_unknown', ({ message }: Values<'message'>) => `${message} Or send it with force: true.`],
  totalTooHigh: ['invalid_request', ({ moneyMax }: Values<'moneyMax'>) => `The total of the order exceeds ${moneyMax}.`],
  onlyFirstOrder: ['invalid_promo', 'This promotion is for a first order. Order without its code.'],
  promotionLimitOfPhone: [
    'invalid_promo',
    'This phone number has reached the limit of the promotion. Remove the code in the same change: promoCode: null.',
  ],
  itemsUnavailable: ['reserved_stock_conflict', 'Some items are not available in the requested quantity; see details.'],
  parcelsDivided: ['invalid_transition', 'The order is divided into parcels: cancel those first, then change its lines and amounts.'],
  promotionOnExchange: [
    'invalid_transition',
    'The order is an exchange: the credit for the replaced goods takes the place of a promotion.',
  ],
  discountTooHigh: ['invalid_request', 'The discount exceeds the subtotal of the goods. Lower it.'],
  duplicateOrder: [
    'duplicate_order',
    ({ duplicateMinutes }: Values<'duplicateMinutes'>) =>
      `This phone number ordered the same a moment ago, and that order was accepted. Wait ${duplicateMinutes} minutes to order it again.`,
  ],
  orderTooLarge: [
    'order_too_large',
    ({ what }: Values<'what'>) => `Without an account this store takes at most ${what} in one order. Order less, or contact the store.`,
  ],
  tooManyOpenOrders: [
    'too_many_open_orders',
    'Several orders wait to be confirmed already. Wait until the store has confirmed them, or ask the store.',
  ],
  creditTooHigh: ['invalid_request', ({ most }: Values<'most'>) => `At most ${most} of the order's value can still be credited.`],
  moreThanAwaited: ['return_too_large', 'The quantity exceeds what is awaited; record the rest as another return.'],
  replacementOpen: [
    'invalid_transition',
    ({ id, status }: Values<'id' | 'status'>) =>
      `Order ${id} replaces its goods and is ${status}. Cancel that order; the return is cancelled with it.`,
  ],
  returnClosed: ['invalid_transition', ({ status }: Values<'status'>) => `The return is ${status}; it is no longer awaited.`],
  conditionTooEarly: ['invalid_request', 'Set this when the goods are received.'],
  nothingToReturn: [
    'invalid_transition',
    ({ status }: Values<'status'>) => `The order is ${status}; only what was delivered, and is not back yet, can be returned.`,
  ],
  everythingReturned: ['return_too_large', 'All goods of the order are returned or awaited already.'],
  moreThanDelivered: ['return_too_large', 'The quantity exceeds what was delivered and is not returned yet. Lower it.'],
})
