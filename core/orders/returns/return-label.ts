import type { Queryable } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { formatDayIn, formatPhoneIn } from '../../logistics/labels/contents.ts'
import { PDF_TYPE } from '../../logistics/labels/rendering/pdf.ts'
import { printDocument } from '../../logistics/labels/rendering/print-queue.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import type { OrderRow } from '../orders.queries.ts'
import { findReturn } from './returns.queries.ts'

/**
 * Prints the label for goods that the customer sends back. Its tracking number is the id of the return. Throws `not_found`,
 * `invalid_transition`.
 */
export async function printReturnLabel(
  sql: Queryable,
  store: Store,
  order: OrderRow,
  { returnId, signal }: { readonly returnId: string; readonly signal: AbortSignal },
): Promise<Response> {
  const found = await findReturn(sql, { storeId: store.id, orderId: order.id, id: returnId })
  if (!found) throw notFound('The return')
  if (found.status !== 'awaited') throw orderErrors.returnClosed({ status: found.status })
  const contents = found.lines.map(({ line, quantity }) => `${order.items[line - 1]?.name} x${quantity}`).join(', ')
  const label = {
    carrier: 'RETOUR',
    tracking: found.id,
    store: { name: order.customerName, phone: formatPhoneIn(order.customerPhone, order.destination.country) },
    recipient: { name: store.name, phones: store.phone ? [formatPhoneIn(store.phone, store.countryCode)] : [] },
    address: store.address ?? '',
    city: '',
    state: { code: store.countryCode, name: '' },
    delivery: { type: 'return_point' as const, center: null },
    cod: { amount: 0, currency: store.currencyCode },
    weightKg: 0,
    contents,
    reference: order.reference,
    notes: found.note,
    date: formatDayIn(store.countryCode, found.createdAt),
    fragile: false,
  }
  const printed = await printDocument({ parts: [{ labels: [label] }], paper: 'a6' }, store.projectId, signal)
  if ('broken' in printed) throw new Error('A label of ours could not be read again.')
  return new Response(printed.pdf, { headers: { 'content-type': PDF_TYPE, 'cache-control': 'private, no-store' } })
}
