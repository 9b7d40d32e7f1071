import { type Static, Type as T } from '@sinclair/typebox'
import { LabelOptions, SendOptions } from '../../../plugins/carrier/segments.model.ts'
import { RowError } from '../../http/errors/row-error.model.ts'
import { defineList } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { orderList } from '../../orders/list.model.ts'
import { OrderTagChange } from '../../orders/tags/tags.model.ts'

/** Maximum number of orders of one job, and of ids in one request. */
export const JOB_ORDERS_MAX = 10_000
/** Maximum number of ids in one request, and of labels in one document. */
export const JOB_IDS_MAX = 500

const Reason = T.Optional(T.String({ maxLength: 500, description: 'stored in the history of each order' }))
const Confirm = named('BulkConfirm', exact({ type: T.Literal('confirm'), reason: Reason }))
const Cancel = named('BulkCancel', exact({ type: T.Literal('cancel'), reason: Reason }))
const Assign = named(
  'BulkAssign',
  exact({
    type: T.Literal('assign'),
    userIds: T.Array(Id, { maxItems: 100, description: 'orders are assigned to them round robin; an empty list unassigns the orders' }),
  }),
)
const Send = named(
  'BulkSend',
  exact({
    type: T.Literal('send'),
    carrierCode: T.Optional(T.String({ maxLength: 60, description: "the carrier's slug; without it, the store's rules choose" })),
    print: T.Optional(
      exact(LabelOptions, {
        description:
          'prints, when the sending ends and in jobs of their own, the labels of the orders that a carrier has given a number by then',
      }),
    ),
    ...SendOptions.properties,
  }),
)
const Tag = named('BulkTag', exact({ type: T.Literal('tag'), ...OrderTagChange.properties }, { minProperties: 2 }))
const Print = named('BulkPrint', exact({ type: T.Literal('print'), ...LabelOptions }))

/** Action of a job, by its `type`. */
export const BulkAction = T.Union([Confirm, Cancel, Assign, Tag, Send, Print], { discriminator: { propertyName: 'type' } })
/** Type of {@link BulkAction}. */
export type BulkAction = Static<typeof BulkAction>

const filterSchema = exact(
  { ...T.Partial(T.Object(orderList.filters)).properties, q: T.Optional(T.String({ minLength: 1, maxLength: 200 })) },
  { description: `filters and search of GET /v1/orders; at most ${JOB_ORDERS_MAX} orders may match, and ${JOB_IDS_MAX} to print` },
)
/** Filters that select the orders of a job. */
export type BulkFilter = Static<typeof filterSchema>

const common = { storeId: T.Optional(Id), action: BulkAction }
/** Request that starts a job for the orders with these ids, or for all that match a filter. */
export const BulkRequest = T.Union([
  exact({ ...common, ids: T.Array(Id, { minItems: 1, maxItems: JOB_IDS_MAX }) }),
  exact({ ...common, filter: filterSchema }),
])
/** Type of {@link BulkRequest}. */
export type BulkRequest = Static<typeof BulkRequest>

/** Request that prints the labels of orders as one document. */
export const LabelsRequest = named(
  'OrderLabelsRequest',
  exact({ storeId: T.Optional(Id), orderIds: T.Array(Id, { minItems: 1, maxItems: JOB_IDS_MAX }), ...LabelOptions }),
)

/** Type of {@link LabelsRequest}. */
export type LabelsRequest = Static<typeof LabelsRequest>

/** Statuses of a job. */
const jobStatuses = ['waiting', 'processing', 'completed', 'cancelled'] as const
/** Status of a job. */
export type JobStatus = (typeof jobStatuses)[number]

/** Statuses of a job's order. */
export const jobRowStatuses = ['waiting', 'done', 'unchanged', 'pending', 'failed', 'cancelled'] as const
/** Element of {@link jobRowStatuses}. */
export type JobRowStatus = (typeof jobRowStatuses)[number]

const Count = (description: string) => T.Integer({ minimum: 0, description })
/** Job with its progress. */
export const BulkJob = named(
  'OrderJob',
  T.Object({
    id: Id,
    storeId: Id,
    action: BulkAction,
    status: oneOf(jobStatuses, { description: '`waiting`: another job of the store runs first' }),
    total: Count('orders'),
    waiting: Count('orders without a result'),
    done: Count('orders that were changed, sent or printed'),
    unchanged: Count('orders that were so already'),
    pending: Count('orders that were sent and whose carrier has not answered yet; their parcels continue by themselves'),
    failed: Count('orders that were left as they are, each with its error'),
    cancelled: Count('orders that the job had not reached when it was cancelled'),
    hasDocument: T.Boolean({ description: 'whether its labels can be downloaded; they are kept for a day' }),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
  }),
)
/** Type of {@link BulkJob}. */
export type BulkJob = Static<typeof BulkJob>

/** Order of a job with its result. */
export const BulkJobRow = named(
  'OrderJobRow',
  T.Object({
    row: T.Integer({ description: 'from 1' }),
    orderId: Id,
    reference: Nullable(T.String({ description: 'number of the order; null when it was deleted' })),
    status: oneOf(jobRowStatuses),
    parcelId: Nullable(Id),
    error: Nullable(RowError),
  }),
)
/** Type of {@link BulkJobRow}. */
export type BulkJobRow = Static<typeof BulkJobRow>

/** List of jobs, newest first. */
export const jobList = defineList({ sorts: null, extraParameters: { storeId: T.Optional(Id) } })
/** Filters of the list of a job's orders. */
export const jobRowList = defineList({ sorts: null, filters: { status: oneOf(jobRowStatuses) } })
