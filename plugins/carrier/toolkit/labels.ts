import { type Answer, unreadable } from '../../toolkit/ask.ts'
import { toBase64 } from '../../toolkit/proof.ts'
import type { Label } from '../contract.ts'
import { refuse } from './algeria.ts'

const AT_ONCE = 8

/** Returns true if a response is a PDF. */
export const isPdf = ({ words }: Pick<Answer, 'words'>) => words.startsWith('%PDF-')

/** Converts a PDF response to a label; throws `unavailable` for any other response. */
export function pdfLabel(label: string, trackingId: string, answer: Pick<Answer, 'words' | 'bytes'>): Label {
  if (!isPdf(answer)) throw unreadable(label, `no PDF for ${trackingId}`)
  return { trackingId, contentType: 'application/pdf', base64: toBase64(answer.bytes) }
}

/** Refuses more labels than the rate limit allows in a minute, since such a request could never succeed. */
export function atMostLabels(most: number, trackingIds: readonly string[], label: string): void {
  if (trackingIds.length > most)
    refuse('too_many_labels', `${label} prints at most ${most} labels at once, not ${trackingIds.length}. Request fewer.`)
}

/** Reads labels one by one, a few concurrently so that many fit the deadline. Keeps the order. */
export async function labelsEach(trackingIds: readonly string[], labelOf: (trackingId: string) => Promise<Label>): Promise<Label[]> {
  const found: Label[] = []
  for (let at = 0; at < trackingIds.length; at += AT_ONCE)
    found.push(...(await Promise.all(trackingIds.slice(at, at + AT_ONCE).map(labelOf))))
  return found
}
