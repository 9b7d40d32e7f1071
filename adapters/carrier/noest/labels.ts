import { atMostLabels, CarrierError, isRow, type Label, labelsEach, pdfLabel, problemOf, unreadable } from 'serai/carrier'
import { file, LABEL, refusalOf } from './api.ts'
import type { Context } from './fields.ts'

/** Labels per call, at two requests each, of 60 a minute. */
const LABELS_MAX = 25

/** Fetches labels. The carrier's addresses expire after about five minutes, so the bytes are returned. */
export async function labels(context: Context, trackingIds: readonly string[]): Promise<Label[]> {
  atMostLabels(LABELS_MAX, trackingIds, LABEL)
  return labelsEach(trackingIds, (trackingId) => labelOf(context, trackingId))
}

async function labelOf(context: Context, trackingId: string): Promise<Label> {
  const answer = await file(context, 'get/order/label', { tracking: trackingId })
  // The storage host answers in XML: its 403 means an expired address, not a wrong key.
  if (!answer.ok && answer.words.trimStart().startsWith('<')) throw unreadable(LABEL, 'no label came from its storage')
  if (!answer.ok) throw problemOf(context, LABEL, answer)
  if (isRow(answer.value) && answer.value.success === false) throw refusalOf(answer.value)
  if (isRow(answer.value)) throw new CarrierError('not_found', `${LABEL} has no label for ${trackingId}.`)
  return pdfLabel(LABEL, trackingId, answer)
}
