/** A payment of a subscription lives as one of an order does. */
export { isUnderWay, mayBeLate, moves, underWay, wasPaid } from '../../payments/statuses.ts'
