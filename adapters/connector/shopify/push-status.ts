import { AdapterError, isRow, present, type Row, rows, type StatusPushed, text, unreadable } from 'serai/connector'
import { graphql, LABEL, mutationResult } from './api.ts'
import type { Context } from './fields.ts'

const ORDER = `query ($id: ID!) { order(id: $id) { cancelledAt displayFinancialStatus
  fulfillmentOrders(first: 20) { nodes { id status } }
  fulfillments(first: 20) { id status displayStatus trackingInfo(first: 1) { number } } } }`
const FULFIL = `mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) {
  fulfillment { id } userErrors { message } } }`
const RENUMBER = `mutation ($fulfillmentId: ID!, $trackingInfoInput: FulfillmentTrackingInput!, $notifyCustomer: Boolean) {
  fulfillmentTrackingInfoUpdate(fulfillmentId: $fulfillmentId, trackingInfoInput: $trackingInfoInput, notifyCustomer: $notifyCustomer) {
    fulfillment { id } userErrors { message } } }`
const HAPPENED = `mutation ($fulfillmentEvent: FulfillmentEventInput!) { fulfillmentEventCreate(fulfillmentEvent: $fulfillmentEvent) {
  fulfillmentEvent { id } userErrors { message } } }`
const PAID = 'mutation ($input: OrderMarkAsPaidInput!) { orderMarkAsPaid(input: $input) { order { id } userErrors { message } } }'
const CANCEL = `mutation ($orderId: ID!, $restock: Boolean!, $reason: OrderCancelReason!, $refundMethod: OrderCancelRefundMethodInput) {
  orderCancel(orderId: $orderId, restock: $restock, reason: $reason, refundMethod: $refundMethod, notifyCustomer: false) {
    job { id } orderCancelUserErrors { message } } }`

/** Fulfillment orders that have not left and can. */
const waiting: ReadonlySet<unknown> = new Set(['OPEN', 'IN_PROGRESS'])
const endedStatuses: ReadonlySet<unknown> = new Set(['CANCELLED', 'ERROR', 'FAILURE'])

type Told = Omit<StatusPushed, 'status'> & { readonly id: string }
type Act = (context: Context, order: Row, told: Told) => Promise<unknown>

const acts: Readonly<Record<StatusPushed['status'], Act | null>> = {
  confirmed: null,
  sent: fulfil,
  async delivered(context, order, told) {
    await addEvents(context, await fulfil(context, order, told), 'DELIVERED')
    const isOwed = context.settings.paidWhenDelivered === 'yes' && order.displayFinancialStatus === 'PENDING'
    if (isOwed) mutationResult(await graphql(context, PAID, { input: { id: told.id } }), 'orderMarkAsPaid')
  },
  returned: (context, order) => addEvents(context, liveOf(order), 'FAILURE'),
  cancelled: cancel,
}

/** Pushes a status. Reads the order first, so that a repeated call adds nothing. */
export async function pushStatus(context: Context, { status, ...said }: StatusPushed): Promise<void> {
  const act = acts[status]
  if (!act) return
  const told = { ...said, id: `gid://shopify/Order/${said.externalId}` }
  const { order } = await graphql(context, ORDER, { id: told.id }, { readsOnly: true })
  if (order === null) throw new AdapterError('not_found', `${LABEL} has no such order.`)
  if (!isRow(order)) throw unreadable(LABEL, 'no order')
  await act(context, order, told)
}

const liveOf = ({ fulfillments }: Row): readonly Row[] =>
  rows(fulfillments).filter(({ id, status }) => text(id) && !endedStatuses.has(status))
const numberAt = ({ trackingInfo }: Row) => text(rows(trackingInfo)[0]?.number)

/** Fulfils everything that has not left, with the tracking number, and corrects the number of what has left. Returns all fulfillments. */
async function fulfil(context: Context, order: Row, { trackingId, carrier }: Told): Promise<readonly Row[]> {
  const notifyCustomer = context.settings.notifyCustomer === 'yes'
  const trackingInfo = trackingId === undefined ? undefined : present({ number: trackingId, company: carrier })
  const left = liveOf(order)
  for (const sent of left)
    if (trackingInfo && numberAt(sent) !== trackingId) {
      const variables = { fulfillmentId: sent.id, trackingInfoInput: trackingInfo, notifyCustomer }
      mutationResult(await graphql(context, RENUMBER, variables), 'fulfillmentTrackingInfoUpdate')
    }
  const made: Row[] = []
  // One at a time, because a joint fulfillment must be at one location.
  for (const { id } of rows(isRow(order.fulfillmentOrders) ? order.fulfillmentOrders.nodes : []).filter(({ status }) =>
    waiting.has(status),
  )) {
    const fulfillment = { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: id }], notifyCustomer, ...present({ trackingInfo }) }
    const { fulfillment: one } = mutationResult(await graphql(context, FULFIL, { fulfillment }), 'fulfillmentCreate')
    if (isRow(one)) made.push(one)
  }
  return [...left, ...made]
}

async function addEvents(context: Context, fulfillments: readonly Row[], status: string): Promise<void> {
  for (const { id, displayStatus } of fulfillments)
    if (displayStatus !== status)
      mutationResult(await graphql(context, HAPPENED, { fulfillmentEvent: { fulfillmentId: id, status } }), 'fulfillmentEventCreate')
}

/** Cancels an order that has not left; otherwise Shopify refuses. Never refunds money. */
async function cancel(context: Context, { cancelledAt }: Row, { id: orderId }: Told): Promise<void> {
  if (text(cancelledAt) !== undefined) return
  const variables = { orderId, restock: true, reason: 'OTHER', refundMethod: { originalPaymentMethodsRefund: false } }
  mutationResult(await graphql(context, CANCEL, variables), 'orderCancel', 'orderCancelUserErrors')
}
