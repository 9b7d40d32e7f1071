import type { Ad, Campaign } from '../../../plugins/ads/model.ts'
import type { AdLink, AdLinkChange } from '../../../plugins/ads/settings.model.ts'
import type { Context } from '../../context.ts'
import { projectIdOf } from '../../data/project-ids.ts'
import { transaction } from '../../data/sql.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { catalogErrors } from '../../shop/catalog/catalog.errors.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { adErrors } from './ads.errors.ts'
import { chunksOf } from './chunks.ts'
import { type AdLinkRow, findProductsByWords, updateLink, upsertLinks } from './links.queries.ts'
import { fetchPage } from './read-listings.ts'
import { listAccounts } from './settings.queries.ts'
import { type AdsConnection, lockConnectionSettings } from './settings.ts'

/** Largest number of pages read from one account. */
const PAGES_MAX = 25
/** Longest duration of one synchronisation, in milliseconds, however many ads there are. */
const READING_MS = 50_000
const WRITTEN_AT_ONCE = 500

type NewLink = Parameters<typeof upsertLinks>[1][number]

/** Returns the API view of a link. */
export const presentLink = ({ projectId: _, connectionId: __, linkedBy: by, ...link }: AdLinkRow): AdLink => ({ ...link, by })

/** Sets the product or landing page of a link. Throws if the store has no such product, and `not_found` without the link. */
export async function changeLink({ sql }: Context, { row }: AdsConnection, id: string, change: AdLinkChange): Promise<AdLink> {
  if (change.productId && (await findProducts(sql, projectIdOf(row.storeId), [change.productId])).length === 0)
    throw catalogErrors.productUnknown({ field: ['productId'] })
  const link = await updateLink(sql, row, id, change)
  if (!link) throw notFound('The link')
  return presentLink(link)
}

/**
 * Reads the campaigns and ads of all linked accounts and links each by its address. A slug or id in the path names a product, and
 * `landingPageId` a landing page. Returns the number of ads and of links.
 */
export async function syncLinks(context: Context, connection: AdsConnection): Promise<{ ads: number; linked: number }> {
  const { id: connectionId, storeId, projectId } = connection.row
  const accounts = await listAccounts(context.sql, connection.row)
  if (accounts.length === 0) throw adErrors.noAccount({ field: [] })
  const [campaigns, ads]: [Campaign[], Ad[]] = [[], []]
  const signal = AbortSignal.timeout(READING_MS)
  for (const { id: accountId } of accounts) {
    campaigns.push(...(await readAll(context, connection, 'campaigns', accountId, signal)))
    ads.push(...(await readAll(context, connection, 'ads', accountId, signal)))
  }
  // There may be tens of thousands, so the loop yields to other work.
  const pause = yieldEvery()
  const targets = new Map<string, AdTarget>()
  for (const { id, url } of ads) {
    targets.set(id, targetOf(url))
    await pause()
  }
  const words = [...new Set([...targets.values()].flatMap((place) => place.words))]
  const products = await mapConcurrent(chunksOf(words, WRITTEN_AT_ONCE), 1, (part) =>
    findProductsByWords(context.sql, projectIdOf(storeId), part),
  )
  const productOf = new Map(products.flat().flatMap(({ id, slug }) => [[slug, id] as const, [id, id] as const]))
  const links = new Map<string, NewLink>()
  const addLink = (link: Omit<NewLink, 'id' | 'projectId' | 'connectionId' | 'linkedBy'>) => {
    links.set(`${link.level} ${link.externalId}`, { ...link, id: newId('adl'), projectId, connectionId, linkedBy: 'url' })
    return pause()
  }
  for (const { id, name } of campaigns)
    await addLink({ level: 'campaign', externalId: id, campaignId: id, name, url: null, productId: null, landingPageId: null })
  for (const { id, name, campaignId, url = null } of ads) {
    const { words: named = [], page = null } = targets.get(id) ?? {}
    const productId = named.map((word) => productOf.get(word)).find((one) => one !== undefined) ?? null
    await addLink({ level: 'ad', externalId: id, campaignId, name, url, productId, landingPageId: page })
  }
  const all = [...links.values()]
  await transaction(context.sql, async (tx) => {
    await lockConnectionSettings(tx, connection.row)
    for (const part of chunksOf(all, WRITTEN_AT_ONCE)) await upsertLinks(tx, part)
  })
  return { ads: ads.length, linked: all.filter(({ productId, landingPageId }) => productId !== null || landingPageId !== null).length }
}

async function readAll<L extends 'campaigns' | 'ads'>(
  context: Context,
  connection: AdsConnection,
  level: L,
  accountId: string,
  signal: AbortSignal,
) {
  const { rowsAtOnce: limit } = connection.mounted.adapter.limits
  const rows: Awaited<ReturnType<typeof fetchPage<L>>>['rows'][number][] = []
  let cursor: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await fetchPage(context, connection, level, { accountId, limit, ...(cursor !== undefined && { cursor }) }, signal)
    rows.push(...page.rows)
    cursor = page.cursor
    if (cursor === undefined) break
  }
  return rows
}

const WORD_MAX = 120
const WORDS_MAX = 12

/** Words of an address that may name a product, last path segment first, and the landing page that its query names. */
interface AdTarget {
  readonly words: readonly string[]
  readonly page: string | null
}

function targetOf(address: string | undefined): AdTarget {
  const url = address === undefined ? null : URL.parse(address)
  if (!url) return { words: [], page: null }
  const words = url.pathname
    .split('/')
    .map(decodeSegment)
    .filter((word) => word !== '' && word.length <= WORD_MAX)
  const page = url.searchParams.get('landingPageId')
  return {
    words: words.toReversed().slice(0, WORDS_MAX),
    page: page !== null && page !== '' && page.length <= 100 && !page.includes('\0') ? page : null,
  }
}

function decodeSegment(word: string): string {
  try {
    return decodeURIComponent(word).replaceAll('\0', '')
  } catch {
    return ''
  }
}
