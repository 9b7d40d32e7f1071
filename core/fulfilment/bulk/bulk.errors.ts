import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of jobs on many orders: the code of each, and the sentence that a caller reads. */
export const bulkErrors = defineErrors({
  tooManyOrders: [
    'invalid_request',
    ({ ordersMax }: Values<'ordersMax'>) => `More than ${ordersMax} orders match. Narrow the filter, for instance by \`from\` and \`to\`.`,
  ],
  tooManyJobs: [
    'conflict',
    ({ jobsMax }: Values<'jobsMax'>) => `${jobsMax} jobs of the store are waiting or in progress. Wait until one is done, or cancel one.`,
  ],
  orderMovedSince: [
    'conflict',
    ({ seen, status }: Values<'seen' | 'status'>) =>
      `The order was ${seen} when the job was started, and somebody made it ${status} since. Look at it, and decide again.`,
  ],
  rightLost: [
    'forbidden',
    'The user, app or API key that started the job may no longer change orders of this store. Start the job again with one that may.',
  ],
  storeGone: ['not_found', 'The store was deleted.'],
  jobFault: ['internal_error', 'An unexpected error happened with this order. It was left as it is; try it again alone.'],
  parcelMissing: ['not_found', 'The order has no parcel with a tracking number. Send it first.'],
  labelElsewhere: ['carrier_error', ({ reason }: Values<'reason'>) => `Its label is not in the document: ${reason} Print it alone.`],
  documentTooLarge: ['payload_too_large', 'The document has no room left for its label. Print it with another job.'],
  documentMissing: ['not_found', 'The job has no document: it printed no label, or its labels were deleted after a day.'],
  stillPrinting: ['conflict', 'The labels are still being printed. Read the job until it is completed.'],
})
