import { ask, CarrierError, isPdf, type Label, text, toBase64, webAddress } from 'serai/carrier'
import { type Account, all } from './api.ts'
import { hostsOf } from './companies.ts'

/** Labels to download per call. More would use up the minute's quota. */
const FETCHED_MAX = 20
const FILE_MS = 5_000

interface Address {
  readonly trackingId: string
  readonly url: string
}

/** Fetches labels. The parcels hold their addresses; PDF files are returned as bytes, pages and files on other hosts as addresses. */
export async function labels(account: Account, trackingIds: readonly string[]): Promise<Label[]> {
  if (trackingIds.length === 0) return []
  const rows = await all(account, 'parcels/', { tracking: trackingIds.join(','), fields: 'tracking,label' })
  const urls = new Map(rows.map((row) => [text(row.tracking), webAddress(row.label)]))
  const found = trackingIds.map((trackingId): Address => {
    const url = urls.get(trackingId)
    if (!url) throw new CarrierError('not_found', `${account.company.label} has no label for ${trackingId}.`)
    return { trackingId, url }
  })
  const files = found.length > FETCHED_MAX ? [] : await filesAt(account, found)
  return files.length === found.length ? files : found.map((address) => ({ ...address, contentType: 'text/html' }))
}

/** Downloads files one by one, until the first that is not a PDF: the others are pages too. */
async function filesAt(account: Account, addresses: readonly Address[]): Promise<Label[]> {
  const files: Label[] = []
  for (const { trackingId, url } of addresses) {
    const base64 = await pdfAt(account, url)
    if (base64 === undefined) break
    files.push({ trackingId, contentType: 'application/pdf', base64 })
  }
  return files
}

async function pdfAt({ context, company }: Account, url: string): Promise<string | undefined> {
  if (!hostsOf(company).includes(URL.parse(url)?.host ?? '')) return undefined
  try {
    // The address itself authorises the download, so no key is sent.
    const answer = await ask(context, company.label, url, { headers: { accept: 'application/pdf' }, timeoutMs: FILE_MS })
    return answer.ok && isPdf(answer) ? toBase64(answer.bytes) : undefined
  } catch (error) {
    context.log('could not fetch a label', { problem: String(error) })
    return undefined
  }
}
