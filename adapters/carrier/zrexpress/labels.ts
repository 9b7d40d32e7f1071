import { ask, CarrierError, isPdf, isRow, type Label, rows, text, toBase64, unreadable } from 'serai/carrier'
import { call, host, label } from './api.ts'
import type { Context } from './fields.ts'

/** The addresses are signed for about 65 minutes; less is promised than they have. */
const livesMs = 60 * 60_000
const contentType = 'application/pdf'

/** One call for all. Where the files lie is not known before; on the interface's own host they are fetched at once. */
export async function labels(context: Context, trackingIds: readonly string[]): Promise<Label[]> {
  if (trackingIds.length === 0) return []
  const expiresAt = new Date(context.now() + livesMs).toISOString()
  const json = { trackingNumbers: trackingIds, format: context.settings.labelFormat }
  const answer = await call(context, 'POST', 'parcels/labels/individual/pdf', { json })
  if (!isRow(answer) || !Array.isArray(answer.parcelLabelFiles)) throw unreadable(label, 'no labels')
  const urls = new Map(rows(answer.parcelLabelFiles).map((file) => [text(file.trackingNumber), text(file.fileUrl)]))
  const missing = trackingIds.filter((trackingId) => !urls.get(trackingId)?.startsWith('https://'))
  if (missing.length > 0) throw new CarrierError('not_found', `${label} has no label for ${missing.slice(0, 20).join(', ')}.`)
  return Promise.all(trackingIds.map(async (trackingId) => ({ trackingId, ...(await fileAt(context, urls.get(trackingId)!, expiresAt)) })))
}

async function fileAt(context: Context, url: string, expiresAt: string): Promise<Omit<Label, 'trackingId'>> {
  const address = { contentType, url, expiresAt }
  if (new URL(url).host !== host) return address
  // The address is its own proof: no key is sent along.
  const file = await ask(context, label, url, { headers: { accept: contentType } }).catch(() => undefined)
  return file?.ok && isPdf(file) ? { contentType, base64: toBase64(file.bytes) } : address
}
