import { type Answer, unreadable } from '../../toolkit/ask.ts'
import { toBase64 } from '../../toolkit/proof.ts'
import type { Label } from '../contract.ts'
import { refuse } from './algeria.ts'

const AT_ONCE = 8

export const isPdf = ({ words }: Pick<Answer, 'words'>) => words.startsWith('%PDF-')

/** A label whose answer is the file itself; throws `unavailable` where it is another. */
export function pdfLabel(label: string, trackingId: string, answer: Pick<Answer, 'words' | 'bytes'>): Label {
  if (!isPdf(answer)) throw unreadable(label, `no PDF for ${trackingId}`)
  return { trackingId, contentType: 'application/pdf', base64: toBase64(answer.bytes) }
}

/** Refuses more labels than the calls of a minute fetch: those would never come, however often they are asked for. */
export function atMostLabels(most: number, trackingIds: readonly string[], label: string): void {
  if (trackingIds.length > most)
    refuse('too_many_labels', `${label} prints ${most} labels at once, of ${trackingIds.length}. Ask for fewer.`)
}

/** For a carrier that gives one label a call: in order, a few at once, so that many are there before the deadline. */
export async function labelsEach(trackingIds: readonly string[], labelOf: (trackingId: string) => Promise<Label>): Promise<Label[]> {
  const found: Label[] = []
  for (let at = 0; at < trackingIds.length; at += AT_ONCE)
    found.push(...(await Promise.all(trackingIds.slice(at, at + AT_ONCE).map(labelOf))))
  return found
}
