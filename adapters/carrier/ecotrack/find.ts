import { CarrierError, dayIn, type Row, type Sent, sentMoreThanOnce, text, unreadable, where, word } from 'serai/carrier'
import { validateFound } from './drafts.ts'
import type { Account } from './fields.ts'
import { page } from './orders.ts'
import { statusesOf } from './parcels.ts'
import { deleteSubmission, readSubmission } from './pending-submissions.ts'
import { mayBeDraft } from './statuses.ts'

/** Pages read in one lookup: 1,200 orders. Leaves room in the minute's quota. */
const PAGES_MAX = 30
/** Margin for clock and time-zone differences: the search begins this long before the submission. */
const MARGIN_MS = 3 * 3_600_000

interface Found {
  readonly trackingId: string
  readonly status: string
}

/** Finds the order sent under `reference`, and validates it if it is a draft. Uses the noted tracking number, else the newest orders. */
export async function findByReference(account: Account, reference: string): Promise<Sent | null> {
  const before = await readSubmission(account.context, reference)
  const known = before?.trackingId === undefined ? [] : await statusesOf(account, [before.trackingId]).catch(where('refused', () => []))
  const matches = known.length > 0 ? known : await search(account, reference, before?.at)
  const found = matches.find(({ status }) => !mayBeDraft(status)) ?? matches[0]
  if (!found) return null
  const { trackingId, status } = found
  if (account.context.settings.validate && mayBeDraft(status)) await validateFound(account, trackingId)
  await deleteSubmission(account.context, reference)
  return matches.length === 1
    ? { trackingId }
    : { trackingId, warnings: [sentMoreThanOnce(account.company.label, matches.length, reference)] }
}

/**
 * Searches the pages of orders, since the platform has no filter for references. An incomplete search does not prove that the order is
 * missing.
 */
async function search(account: Account, reference: string, since: number | undefined): Promise<Found[]> {
  const { context, company } = account
  const start_date = since === undefined ? undefined : dayIn(since - MARGIN_MS, context.settings.utcOffset)
  for (let number = 1; number <= PAGES_MAX; number++) {
    const { rows, hasMore } = await page(account, { page: number, start_date })
    const matches = rows.filter((row) => word(row.reference) === reference.trim())
    if (matches.length > 0) return matches.map((row) => foundIn(account, row))
    if (!hasMore) return []
  }
  throw new CarrierError('unavailable', `${company.label} lists too many orders to find ${reference} among them. Look for it in the panel.`)
}

function foundIn({ company }: Account, row: Row): Found {
  const trackingId = text(row.tracking)
  if (trackingId === undefined) throw unreadable(company.label, 'an order without a tracking number')
  return { trackingId, status: String(row.status) }
}
