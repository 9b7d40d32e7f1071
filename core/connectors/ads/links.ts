import type { Ad, AdLink, AdLinkChange, Campaign } from '../../../plugins/ads/model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { invalidValue, notFound } from '../../http/errors/errors.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { newId } from '../../lib/ids.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { findNamed, type LinkRow, putLinks, updateLink } from './links.queries.ts'
import { partsOf } from './parts.ts'
import { askPage } from './reads.ts'
import { listAccounts } from './settings.queries.ts'
import { type AdsConnection, holdThere } from './settings.ts'

/** Pages that one reading takes of one account. */
const PAGES_MAX = 25
/** Whoever asked waits no longer, however much there is. */
const READING_MS = 50_000
const WRITTEN_AT_ONCE = 500

type NewLink = Parameters<typeof putLinks>[1][number]

export const presentLink = ({ storeId: _, connectionId: __, linkedBy: by, ...link }: LinkRow): AdLink => ({ ...link, by })

export async function changeLink({ sql }: Context, { row }: AdsConnection, id: string, change: AdLinkChange): Promise<AdLink> {
  if (change.productId && (await findProducts(sql, row.storeId, [change.productId])).length === 0)
    throw invalidValue('/body/productId', 'The store has no such product.')
  const link = await updateLink(sql, row.id, id, change)
  if (!link) throw notFound('The link')
  return presentLink(link)
}

/** Reads what all linked accounts advertise, and links it by where it leads: to a product by its slug or id, to a landing page by its `landingPageId`. */
export async function syncLinks(context: Context, connection: AdsConnection): Promise<{ ads: number; linked: number }> {
  const { id: connectionId, storeId } = connection.row
  const accounts = await listAccounts(context.sql, connectionId)
  if (accounts.length === 0) throw invalidValue('/body', 'No ad account is linked. PATCH …/ads/settings with its accountIds first.')
  const [campaigns, ads]: [Campaign[], Ad[]] = [[], []]
  const signal = AbortSignal.timeout(READING_MS)
  for (const { id: accountId } of accounts) {
    campaigns.push(...(await readAll(context, connection, 'campaigns', accountId, signal)))
    ads.push(...(await readAll(context, connection, 'ads', accountId, signal)))
  }
  // There may be tens of thousands: others have their turn in between.
  const pause = yieldEvery()
  const places = new Map<string, Place>()
  for (const { id, url } of ads) {
    places.set(id, placeIn(url))
    await pause()
  }
  const words = [...new Set([...places.values()].flatMap((place) => place.words))]
  const products = await mapConcurrent(partsOf(words, WRITTEN_AT_ONCE), 1, (part) => findNamed(context.sql, storeId, part))
  const productOf = new Map(products.flat().flatMap(({ id, slug }) => [[slug, id] as const, [id, id] as const]))
  const links = new Map<string, NewLink>()
  const keep = (link: Omit<NewLink, 'id' | 'storeId' | 'connectionId' | 'linkedBy'>) => {
    links.set(`${link.level} ${link.externalId}`, { ...link, id: newId('adl'), storeId, connectionId, linkedBy: 'url' })
    return pause()
  }
  for (const { id, name } of campaigns)
    await keep({ level: 'campaign', externalId: id, campaignId: id, name, url: null, productId: null, landingPageId: null })
  for (const { id, name, campaignId, url = null } of ads) {
    const { words: named = [], page = null } = places.get(id) ?? {}
    const productId = named.map((word) => productOf.get(word)).find((one) => one !== undefined) ?? null
    await keep({ level: 'ad', externalId: id, campaignId, name, url, productId, landingPageId: page })
  }
  const all = [...links.values()]
  await transaction(context.sql, async (tx) => {
    await holdThere(tx, connectionId)
    for (const part of partsOf(all, WRITTEN_AT_ONCE)) await putLinks(tx, part)
  })
  return { ads: ads.length, linked: all.filter(({ productId, landingPageId }) => productId !== null || landingPageId !== null).length }
}

async function readAll<L extends 'campaigns' | 'ads'>(
  context: Context,
  connection: AdsConnection,
  what: L,
  accountId: string,
  signal: AbortSignal,
) {
  const { rowsAtOnce: limit } = connection.mounted.adapter.limits
  const rows: Awaited<ReturnType<typeof askPage<L>>>['rows'][number][] = []
  let cursor: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await askPage(context, connection, what, { accountId, limit, ...(cursor !== undefined && { cursor }) }, signal)
    rows.push(...page.rows)
    cursor = page.cursor
    if (cursor === undefined) break
  }
  return rows
}

const WORD_MAX = 120
const WORDS_MAX = 12

/** What may name a product in an address, the last part first, and the landing page that its query names. */
interface Place {
  readonly words: readonly string[]
  readonly page: string | null
}

function placeIn(address: string | undefined): Place {
  const url = address === undefined ? null : URL.parse(address)
  if (!url) return { words: [], page: null }
  const words = url.pathname
    .split('/')
    .map(decoded)
    .filter((word) => word !== '' && word.length <= WORD_MAX)
  const page = url.searchParams.get('landingPageId')
  return {
    words: words.toReversed().slice(0, WORDS_MAX),
    page: page !== null && page !== '' && page.length <= 100 && !page.includes('\0') ? page : null,
  }
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word).replaceAll('\0', '')
  } catch {
    return ''
  }
}
