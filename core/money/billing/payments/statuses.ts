/** Payments of subscriptions have the same statuses as payments of orders. */
export { everPaidStatuses, isUnderWay, mayBeOutdated, transitions, underWayStatuses } from '../../payments/statuses.ts'
