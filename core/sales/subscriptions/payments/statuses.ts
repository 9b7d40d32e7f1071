/** A payment of a subscription lives as one of an order does. */
export { holdsMoney, isUnderWay, moves, underWay } from '../../payments/statuses.ts'
