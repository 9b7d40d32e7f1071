import type { Ad, AdLink, AdLinkChange, Campaign } from '../../../plugins/ads/model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { inPieces } from '../../lib/in-pieces.ts'
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

export const presentLink = ({ storeId: _, connectionId: __, linkedBy: by, ...link }: LinkRow): AdLink => ({ ...link, by })

export async function changeLink({ sql }: Context, { row }: AdsConnection, id: string, change: AdLinkChange): Promise<AdLink> {
  if (change.productId && (await findProducts(sql, row.storeId, [change.productId])).length === 0)
    throw invalid('/body/productId', 'The store has no such product.')
  const link = await updateLink(sql, row.id, id, change)
  if (!link) throw notFound('The link')
  return presentLink(link)
}

/** Reads what all linked accounts advertise, and links it by where it leads: to a product by its slug or id, to a landing page by its `landingPageId`. */
export async function syncLinks(context: Context, connection: AdsConnection): Promise<{ ads: number; linked: number }> {
  const { id: connectionId, storeId } = connection.row
  const accounts = await listAccounts(context.sql, connectionId)
  if (accounts.length === 0) throw invalid('/body', 'No ad account is linked. PATCH …/ads/settings with its accountIds first.')
  const [campaigns, ads]: [Campaign[], Ad[]] = [[], []]
  const signal = AbortSignal.timeout(READING_MS)
  for (const { id: accountId } of accounts) {
    campaigns.push(...(await all(context, connection, 'campaigns', accountId, signal)))
    ads.push(...(await all(context, connection, 'ads', accountId, signal)))
  }
  const places = new Map(ads.map(({ id, url }) => [id, placeIn(url)]))
  const words = [...new Set([...places.values()].flatMap((place) => place.words))]
  const products = await inPieces(partsOf(words, WRITTEN_AT_ONCE), 1, (part) => findNamed(context.sql, storeId, part))
  const productOf = new Map(products.flat().flatMap(({ id, slug }) => [[slug, id] as const, [id, id] as const]))
  const own = { storeId, connectionId, linkedBy: 'url' as const }
  const links: Parameters<typeof putLinks>[1] = [
    ...campaigns.map(({ id, name }) => ({
      ...own,
      id: newId('adl'),
      level: 'campaign' as const,
      externalId: id,
      campaignId: id,
      name,
      url: null,
      productId: null,
      landingPageId: null,
    })),
    ...ads.map(({ id, name, campaignId, url = null }) => {
      const place = places.get(id)
      const productId = place?.words.map((word) => productOf.get(word)).find((one) => one !== undefined) ?? null
      return {
        ...own,
        id: newId('adl'),
        level: 'ad' as const,
        externalId: id,
        campaignId,
        name,
        url,
        productId,
        landingPageId: place?.page ?? null,
      }
    }),
  ]
  const once = [...new Map(links.map((link) => [`${link.level} ${link.externalId}`, link])).values()]
  await transaction(context.sql, async (tx) => {
    await holdThere(tx, connectionId)
    for (const part of partsOf(once, WRITTEN_AT_ONCE)) await putLinks(tx, part)
  })
  return { ads: ads.length, linked: once.filter(({ productId, landingPageId }) => productId !== null || landingPageId !== null).length }
}

async function all<L extends 'campaigns' | 'ads'>(
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
function placeIn(address: string | undefined): { readonly words: readonly string[]; readonly page: string | null } {
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
