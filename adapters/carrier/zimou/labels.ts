import { ask, CarrierError, isPdf, type Label, labelsEach, toBase64, webAddress } from 'serai/carrier'
import { bearer, host, label } from './api.ts'
import type { Context } from './fields.ts'
import { packageNote } from './notes.ts'
import { packageOf } from './track.ts'

/** Fetches labels as bytes. Files on other hosts, files that are not PDF, and those beyond the quota are returned as addresses. */
export const labels = (context: Context, trackingIds: readonly string[]): Promise<Label[]> =>
  labelsEach(trackingIds, async (trackingId) => {
    const url = await printUrlOf(context, trackingId)
    if (url === undefined)
      throw new CarrierError('not_found', `Where the label of ${trackingId} stands is not known. Print it in the portal.`)
    const base64 = await pdfAt(context, url)
    return base64 === undefined ? { trackingId, contentType: 'text/html', url } : { trackingId, contentType: 'application/pdf', base64 }
  })

async function printUrlOf(context: Context, trackingId: string): Promise<string | undefined> {
  const { printUrl } = await packageNote(context, trackingId)
  return printUrl ?? webAddress((await packageOf(context, trackingId))?.print_url)
}

/** Downloads a PDF; undefined when it is on another host or not a PDF, and the user opens the address instead. */
async function pdfAt(context: Context, url: string): Promise<string | undefined> {
  if (!URL.canParse(url) || new URL(url).host !== host) return undefined
  try {
    const headers = { ...bearer(context), accept: 'application/pdf' }
    const answer = await ask(context, label, url, { headers, followRedirects: true })
    return answer.ok && isPdf(answer) ? toBase64(answer.bytes) : undefined
  } catch (error) {
    context.log('could not fetch a label', { problem: String(error) })
    return undefined
  }
}
