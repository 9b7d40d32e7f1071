import type { Label } from '../contract.ts'
import { type Answer, unreadable } from './ask.ts'
import { toBase64 } from './proof.ts'

export const isPdf = ({ words }: Pick<Answer, 'words'>) => words.startsWith('%PDF-')

/** A label whose answer is the file itself; throws `unavailable` where it is another. */
export function pdfLabel(label: string, trackingId: string, answer: Pick<Answer, 'words' | 'bytes'>): Label {
  if (!isPdf(answer)) throw unreadable(label, `no PDF for ${trackingId}`)
  return { trackingId, contentType: 'application/pdf', base64: toBase64(answer.bytes) }
}
