/** A payment of a subscription lives as one of an order does. */
export { everPaidStatuses, isUnderWay, mayBeOutdated, transitions, underWayStatuses } from '../../payments/statuses.ts'
