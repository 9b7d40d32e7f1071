import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of inventory: the code of each, and the sentence that a caller reads. */
export const inventoryErrors = defineErrors({
  conversionUnbalanced: ['unbalanced_operation', 'A conversion must produce exactly the value that it consumes; see details.'],
  batchCostDiffers: [
    'batch_cost_conflict',
    'A batch has one unit cost, also while it is empty. Name another batch, or leave unitCost out.',
  ],
  balanceTooHigh: ['invalid_request', 'The balance would exceed 99,999,999,999.9999. Lower the quantity.'],
  notEnoughStock: ['reserved_stock_conflict', 'There is not enough unreserved stock; see details.'],
  countBelowReserved: [
    'reserved_stock_conflict',
    ({ reserved }: Values<'reserved'>) => `${reserved} of it are reserved for orders. Enter at least that quantity.`,
  ],
  reversalFinal: ['operation_not_reversible', 'A reversal is final. Post a new operation instead.'],
  alreadyReversed: ['operation_not_reversible', ({ by }: Values<'by'>) => `The operation was reversed already, by ${by}.`],
  stockGone: [
    'operation_not_reversible',
    'The stock that it brought has been consumed, moved or reserved since; see details. Post a new operation instead.',
  ],
  tooManyBatches: [
    'limit_reached',
    ({ linesMax }: Values<'linesMax'>) => `It takes from more than ${linesMax} batches at once. Split it into several operations.`,
  ],
  noteMissing: ['invalid_request', ({ type }: Values<'type'>) => `An operation of type ${type} needs a note that says why.`],
  reservationOnlyForFulfil: ['invalid_request', 'Only an operation of type fulfill takes from a reservation.'],
  conversionRolesMissing: ['invalid_request', 'A conversion needs a leg with the role "in" and one with the role "out".'],
  amountMustBePositive: ['invalid_request', ({ type }: Values<'type'>) => `Must be positive in an operation of type ${type}.`],
  amountMustBeNegative: ['invalid_request', ({ type }: Values<'type'>) => `Must be negative in an operation of type ${type}.`],
  roleInvalid: ['invalid_request', 'Must be "in" for consumed stock or "out" for produced stock.'],
  roleNotExpected: ['invalid_request', 'Only the legs of a conversion have roles. Leave this out.'],
  batchNotExpected: ['invalid_request', 'Produced stock gets a new batch; leave this out.'],
  numberInvalid: ['invalid_request', 'Must be a number with up to 4 decimals.'],
  amountZero: ['invalid_request', 'Must not be zero.'],
  amountTooHigh: ['invalid_request', 'Must not exceed 99,999,999,999.9999.'],
  amountInvalid: ['invalid_request', 'Must be a number with up to 4 decimals, at most 99,999,999,999.9999.'],
  transferUnbalanced: ['unbalanced_operation', 'A transfer must add as much of each (key, batch) as it removes; see details.'],
  reservationClosed: [
    'reservation_not_active',
    ({ status }: Values<'status'>) => `The reservation is ${status} and holds no stock. Make another one.`,
  ],
  expiryAmbiguous: ['invalid_request', 'Send either ttlSeconds or expiresAt, not both.'],
  filterAmbiguous: ['invalid_request', 'Name exactly one of objectId, holderRef and operationId.'],
  dateInvalid: ['invalid_request', 'This date or time does not exist. Send one such as 2026-01-31T12:00:00Z.'],
  reservationOfOrder: ['conflict', 'An order holds this reservation: change, send, cancel or return the order.'],
  reservationFulfilled: ['reservation_not_active', 'The reservation is fulfilled. Reverse the operation, or post a customer_return.'],
})
