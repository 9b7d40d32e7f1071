import { atMostLabels, CarrierError, type Label, labelsEach, pdfLabel } from 'serai/carrier'
import { call, expectSuccess, LABEL } from './api.ts'
import type { Context } from './fields.ts'

/** Size of a blank page, which the carrier returns for an unknown id (about 880 bytes). */
const BLANK_MAX = 1024
/** Calls for labels, of 45 a minute. */
const LABELS_MAX = 40

/** Fetches labels one by one, so that a blank page can be matched to its parcel. */
export async function labels(context: Context, ids: readonly string[]): Promise<Label[]> {
  atMostLabels(LABELS_MAX, ids, LABEL)
  return labelsEach(ids, (id) => labelOf(context, id))
}

async function labelOf(context: Context, id: string): Promise<Label> {
  const asked = { json: { orders_ids: [id] }, accept: 'application/pdf, */*' }
  const answer = expectSuccess(context, await call(context, 'POST', 'delivery/starter/v2/starter_bordureau/', asked))
  const printed = pdfLabel(LABEL, id, answer)
  if (answer.bytes.length <= BLANK_MAX) throw new CarrierError('not_found', `${LABEL} has no parcel ${id}: its label is a blank page.`)
  return printed
}
