import { atMostLabels, CarrierError, type Label, labelsEach, pdfLabel } from 'serai/carrier'
import { call, LABEL, succeeded } from './api.ts'
import type { Context } from './fields.ts'

/** To an id that it does not know the carrier answers a blank page of about 880 bytes. */
const BLANK_MAX = 1024
/** A call each, of 45 a minute. */
const LABELS_MAX = 40

/** One by one, so that a blank page is nobody else's. */
export async function labels(context: Context, ids: readonly string[]): Promise<Label[]> {
  atMostLabels(LABELS_MAX, ids, LABEL)
  return labelsEach(ids, (id) => labelOf(context, id))
}

async function labelOf(context: Context, id: string): Promise<Label> {
  const asked = { json: { orders_ids: [id] }, accept: 'application/pdf, */*' }
  const answer = succeeded(context, await call(context, 'POST', 'delivery/starter/v2/starter_bordureau/', asked))
  const printed = pdfLabel(LABEL, id, answer)
  if (answer.bytes.length <= BLANK_MAX) throw new CarrierError('not_found', `${LABEL} has no parcel ${id}: its label is a blank page.`)
  return printed
}
