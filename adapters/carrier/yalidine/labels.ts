import { ask, CarrierError, isPdf, type Label, text, toBase64, webAddress } from 'serai/carrier'
import { type Account, all } from './api.ts'
import { hostsOf } from './companies.ts'

/** A download each: more of them would leave too little of a minute's quota to everything else. */
const FETCHED_MAX = 20
const FILE_MS = 5_000

interface Address {
  readonly trackingId: string
  readonly url: string
}

/** Where labels stand is only known from the parcels. Files come as their bytes; pages, and what another host prints, as addresses. */
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

/** One after the other, as far as they are files: where one is a page, so are the others. */
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
    // The address is its own proof: no key is sent along.
    const answer = await ask(context, company.label, url, { headers: { accept: 'application/pdf' }, timeoutMs: FILE_MS })
    return answer.ok && isPdf(answer) ? toBase64(answer.bytes) : undefined
  } catch (error) {
    context.log('could not fetch a label', { problem: String(error) })
    return undefined
  }
}
