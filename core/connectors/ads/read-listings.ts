import { AdPage, AdSetPage, CampaignPage } from '../../../plugins/ads/members.ts'
import type { Ad, AdSet, Campaign, Listing } from '../../../plugins/ads/model.ts'
import type { Context } from '../../context.ts'
import { foreignCursor, PAGE_DEFAULT, type PageInput, type PageOf } from '../../http/resource/page.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { adErrors } from './ads.errors.ts'
import { listAccounts } from './settings.queries.ts'
import type { AdsConnection } from './settings.ts'

const CALL_MS = 20_000
const pages = { campaigns: CampaignPage, adsets: AdSetPage, ads: AdPage } as const
interface Rows {
  readonly campaigns: Campaign
  readonly adsets: AdSet
  readonly ads: Ad
}
type ListingLevel = keyof Rows
type ListingFilter = Partial<Pick<Listing, 'accountId' | 'campaignId' | 'adSetId' | 'adId'>>

/** Returns the id of the named linked account, or of the only one. Throws if none is linked or several are. */
async function accountFor({ sql }: Context, { row }: AdsConnection, accountId: string | undefined): Promise<string> {
  const linked = await listAccounts(sql, row)
  const [first, another] = linked
  if (!first) throw adErrors.noAccount({ field: ['accountId'] })
  if (accountId === undefined && another) throw adErrors.accountAmbiguous({ field: ['accountId'] })
  if (accountId === undefined) return first.id
  if (!linked.some(({ id }) => id === accountId)) throw adErrors.accountNotLinked({ field: ['accountId'] })
  return accountId
}

/** Reads one page of campaigns, ad sets or ads from the platform. */
export const fetchPage = async <L extends ListingLevel>(
  context: Context,
  connection: AdsConnection,
  level: L,
  listing: Listing,
  signal?: AbortSignal,
) => {
  const answer = await callAdapter(context, connection, (adapter, own) => adapter[level](own, listing), {
    operation: level,
    deadlineMs: CALL_MS,
    schema: pages[level],
    ...(signal && { signal }),
  })
  return answer as Awaited<ReturnType<AdsConnection['mounted']['adapter'][L]>>
}

/** Reads a page for the API. Its cursor wraps that of the platform. */
export async function readListingPage<L extends ListingLevel>(
  context: Context,
  connection: AdsConnection,
  level: L,
  filter: ListingFilter,
  page: PageInput,
) {
  const { accountId, ...within } = filter
  const most = Math.min(page.limit ?? PAGE_DEFAULT, connection.mounted.adapter.limits.rowsAtOnce)
  const named = { ...within, accountId: await accountFor(context, connection, accountId), limit: most }
  const cursor = cursorIn(page.cursor)
  const { rows, cursor: next } = await fetchPage(context, connection, level, { ...named, ...(cursor !== undefined && { cursor }) })
  return { data: rows, nextCursor: next === undefined ? null : Buffer.from(`a1:${next}`).toString('base64url') } as PageOf<Rows[L]>
}

function cursorIn(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const [, cursor] = /^a1:([^\p{C}]{1,1000})$/u.exec(Buffer.from(given, 'base64url').toString('utf8')) ?? []
  if (!cursor) throw foreignCursor()
  return cursor
}

const EXTERNAL = /^[A-Za-z0-9_-]{1,100}$/

/** Reads one ad. Throws `not_found` if the platform does not return it. */
export async function readAd(context: Context, connection: AdsConnection, adId: string, accountId: string | undefined): Promise<Ad> {
  if (!EXTERNAL.test(adId)) throw notFound(`The ad ${adId}`)
  const account = await accountFor(context, connection, accountId)
  const { rows } = await fetchPage(context, connection, 'ads', { accountId: account, adId, limit: 1 })
  const ad = rows.find(({ id }) => id === adId)
  if (!ad) throw notFound(`The ad ${adId}`)
  return ad
}
