import { ask, CarrierError, isPdf, isRow, type Label, rows, text, toBase64, unreadable, webAddress } from 'serai/carrier'
import { call, host, label } from './api.ts'
import type { Context } from './fields.ts'

/** Lifetime given to clients; the signed addresses last about 65 minutes. */
const livesMs = 60 * 60_000
const contentType = 'application/pdf'

/**
 * Fetches labels. The storage host is not documented: files on the API's host are downloaded, since their addresses expire. For several
 * files on another host, one file with all of them is requested.
 */
export async function labels(context: Context, trackingIds: readonly string[]): Promise<Label[]> {
  if (trackingIds.length === 0) return []
  const urls = await addressesOf(context, trackingIds)
  const found = await Promise.all(
    trackingIds.map(async (trackingId) => ({ trackingId, ...(await fileAt(context, urls.get(trackingId)!)) })),
  )
  const isScattered = found.length > 1 && found.some(({ base64 }) => base64 === undefined)
  return (isScattered && (await sheetOf(context, trackingIds))) || found
}

const labelRequest = (context: Context, trackingNumbers: readonly string[]) => ({ trackingNumbers, format: context.settings.labelFormat })

async function addressesOf(context: Context, trackingIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const answer = await call(context, 'POST', 'parcels/labels/individual/pdf', { json: labelRequest(context, trackingIds) })
  if (!isRow(answer) || !Array.isArray(answer.parcelLabelFiles)) throw unreadable(label, 'no labels')
  const urls = new Map(
    rows(answer.parcelLabelFiles).flatMap(({ trackingNumber, fileUrl }) => {
      const [trackingId, url] = [text(trackingNumber), webAddress(fileUrl)]
      return trackingId && url ? [[trackingId, url] as const] : []
    }),
  )
  const missing = trackingIds.filter((trackingId) => !urls.has(trackingId))
  if (missing.length > 0) throw new CarrierError('not_found', `${label} has no label for ${missing.slice(0, 20).join(', ')}.`)
  return urls
}

async function fileAt(context: Context, url: string): Promise<Pick<Label, 'contentType' | 'base64' | 'url' | 'expiresAt'>> {
  const address = { contentType, url, expiresAt: new Date(context.now() + livesMs).toISOString() }
  if (!URL.canParse(url) || new URL(url).host !== host) return address
  // The address itself authorises the download, so no key is sent.
  const file = await ask(context, label, url, { headers: { accept: contentType } }).catch(() => undefined)
  return file?.ok && isPdf(file) ? { contentType, base64: toBase64(file.bytes) } : address
}

/** Requests one file with all labels; undefined when the carrier gives none, and each address is used. */
async function sheetOf(context: Context, trackingIds: readonly string[]): Promise<Label[] | undefined> {
  try {
    const answer = await call(context, 'POST', 'parcels/labels/multiple/pdf', { json: labelRequest(context, trackingIds) })
    const { fileUrl, failedTrackingNumbers: failed = [] } = isRow(answer) ? answer : {}
    const url = Array.isArray(failed) && failed.length === 0 ? webAddress(fileUrl) : undefined
    return url === undefined ? undefined : [{ trackingIds: [...trackingIds], ...(await fileAt(context, url)) }]
  } catch (error) {
    context.log('could not get one file of several labels', { problem: String(error) })
    return undefined
  }
}
