import { equalsCondition, keysetPage, limitBytes, type SortedRow, sortValueColumn } from '../../data/keyset-page.ts'
import { expectOne, json, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { ProductListRequest } from './products.model.ts'
import type { Bundle, Option, Shipping, StoredMedia, StoredSeo, StoredVariant, Tier } from './products.parts.model.ts'
import { searchPatternsOf } from './search-text.ts'

/** Row of a product. Amounts and weights are decimal texts. */
export interface ProductRow {
  readonly projectId: string
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly sku: string | null
  readonly status: 'draft' | 'active' | 'archived'
  readonly price: string
  readonly compareAtPrice: string | null
  readonly cost: string | null
  readonly weightKg: string
  readonly stockKeeping: boolean
  readonly showStock: boolean
  readonly inventoryKey: string
  readonly categoryId: string | null
  readonly tags: string[]
  readonly vendor: string | null
  readonly seo: Partial<StoredSeo>
  readonly options: Option[]
  readonly media: StoredMedia[]
  readonly variants: StoredVariant[]
  readonly tiers: Tier[]
  readonly bundles: Bundle[]
  readonly shipping: Shipping | null
  readonly metadata: Record<string, unknown>
  readonly createdAt: string
  readonly updatedAt: string
}

/** Key of a product. */
export type ProductKey = Pick<ProductRow, 'projectId' | 'id'>

/** Column values to write, with the search text and the stock keys derived from them. */
export type ProductValues = Partial<Omit<ProductRow, 'createdAt' | 'updatedAt'>> & {
  readonly stockKeys?: readonly string[]
  readonly searchText?: string
}

const COLUMNS = [
  ...['projectId', 'id', 'name', 'slug', 'description', 'sku', 'status', 'price', 'compareAtPrice', 'cost', 'weightKg', 'stockKeeping'],
  ...['showStock', 'inventoryKey', 'categoryId', 'tags', 'vendor', 'seo', 'options', 'media', 'variants', 'tiers', 'bundles', 'shipping'],
  ...['metadata', 'createdAt', 'updatedAt'],
]
const JSON_COLUMNS = ['seo', 'options', 'media', 'variants', 'tiers', 'bundles', 'shipping', 'metadata'] as const

/** Inserts a product and returns its row. */
export const insertProduct = async (sql: Tx, product: ProductValues) =>
  expectOne(await sql<ProductRow[]>`insert into products ${rowValues(sql, product, JSON_COLUMNS)} returning ${sql(COLUMNS)}`)

/** Updates a product, sets its `updatedAt`, and returns its row. */
export const updateProduct = async (sql: Tx, { projectId, id }: ProductKey, change: ProductValues) =>
  expectOne(
    await sql<
      ProductRow[]
    >`update products set ${rowValues(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)} where project_id = ${projectId} and id = ${id} returning ${sql(COLUMNS)}`,
  )

/** Locks a product for update until the transaction ends. Returns undefined where it does not exist or is deleted. */
export const lockProduct = async (sql: Tx, { projectId, id }: ProductKey) =>
  (
    await sql<
      ProductRow[]
    >`select ${sql(COLUMNS)} from products where project_id = ${projectId} and id = ${id} and deleted_at is null for update`
  )[0]

/** Marks a product as deleted and frees its skus. Orders still refer to the row. */
export const markProductDeleted = async (sql: Tx, { projectId, id }: ProductKey) => {
  await sql`update products set deleted_at = now() where project_id = ${projectId} and id = ${id}`
  await sql`delete from product_skus where project_id = ${projectId} and product_id = ${id}`
}

/** Finds a product by its id, in any store: a route names it before its project is known. Returns undefined where it does not exist or is deleted. */
export const findProduct = async (sql: Queryable, id: string) =>
  (await sql<ProductRow[]>`select ${sql(COLUMNS)} from products where id = ${id} and deleted_at is null`)[0]

/** Reads these products of a store in one query. Deleted and foreign ids are left out. */
export const findProducts = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<ProductRow[]>`select ${sql(COLUMNS)} ${fromProducts(sql, projectId, ids)}`

/** Columns that a price follows from. */
const PRICING_COLUMNS = [
  ...['id', 'name', 'sku', 'status', 'price', 'cost', 'stockKeeping', 'inventoryKey', 'categoryId'],
  ...['variants', 'tiers', 'bundles', 'shipping'],
] as const

/** Reads what prices follow from, like {@link findProducts}, with the version of each product. */
export const listVersionedProducts = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<(Pick<ProductRow, (typeof PRICING_COLUMNS)[number]> & { readonly version: string })[]>`
    select ${sql(PRICING_COLUMNS)}, xmin::text as version ${fromProducts(sql, projectId, ids)}`

/** Selects from these products of a store. Deleted and foreign ones are left out. */
export const fromProducts = (sql: Queryable, projectId: string, ids: readonly string[]) => sql`
  from products where project_id = ${projectId} and deleted_at is null and id in (
    select w.id from jsonb_to_recordset(${json(
      sql,
      ids.map((id) => ({ project: projectId, id })),
    )}) as w (project text, id text) where w.project = ${projectId})`

/**
 * Locks the product that has this sku, itself or through a variant, or else the one with this slug. Where both exist, the product with
 * `variantId` comes first, then the one with the sku. Returns undefined where none matches.
 */
export const lockProductBySkuOrSlug = async (
  sql: Tx,
  projectId: string,
  by: { sku: string | null; slug: string | null; variantId: string | null },
) =>
  (
    await sql<ProductRow[]>`select ${sql(COLUMNS)} from products p where project_id = ${projectId} and deleted_at is null and (
      id = (select product_id from product_skus k where k.project_id = ${projectId} and k.sku = ${by.sku}) or slug = ${by.slug})
      order by variants @> ${json(sql, [{ id: by.variantId }])} desc, slug is not distinct from ${by.slug} limit 1 for update`
  )[0]

/** Sku of a product, or of one of its variants. */
export interface SkuRow {
  readonly sku: string
  readonly variantId: string | null
}

/** Returns those of the skus that another product of the store has. */
export const findTakenSkus = async (sql: Queryable, projectId: string, skus: readonly string[], except: string) =>
  skus.length === 0
    ? []
    : (
        await sql<{ sku: string }[]>`
          select sku from product_skus where project_id = ${projectId} and sku = any (${skus as string[]}) and product_id <> ${except}`
      ).map(({ sku }) => sku)

/** Replaces the skus of a product. Inserts them in one order, so that two writers do not deadlock. */
export async function replaceSkus(sql: Tx, { projectId, id }: ProductKey, skus: readonly SkuRow[]) {
  await sql`delete from product_skus where project_id = ${projectId} and product_id = ${id}`
  if (skus.length === 0) return
  const rows = skus.toSorted((a, b) => (a.sku < b.sku ? -1 : 1)).map((each) => ({ projectId, productId: id, ...each }))
  await sql`insert into product_skus ${rowValues(sql, rows)}`
}

/**
 * Claims inventory keys that no item of the store uses yet, and returns those it claimed. Inserts them in one order, so that two writers of
 * the same keys wait instead of deadlocking.
 */
export const claimInventoryKeys = async (sql: Tx, projectId: string, keys: readonly string[]) =>
  keys.length === 0
    ? []
    : (
        await sql<{ key: string }[]>`insert into product_keys (project_id, key)
          select ${projectId}, k.key from unnest(${[...new Set(keys)].toSorted()}::text[]) with ordinality as k (key, place) order by k.place
          on conflict do nothing returning key`
      ).map(({ key }) => key)

/**
 * Returns true where another product of the store has the slug. Locks the slug, so that others who check it wait until the transaction
 * ends.
 */
export async function isProductSlugTaken(sql: Tx, projectId: string, slug: string, except: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`slug ${projectId} ${slug}`}, 0))`
  return (
    (await sql`select 1 from products where project_id = ${projectId} and slug = ${slug} and id <> ${except} and deleted_at is null`)
      .length > 0
  )
}

/** Project and inventory namespace whose stock a product list reads. */
export interface StockScope {
  readonly projectId: string
  readonly namespace: string
}

/** Lists products of a store by filter and search. Returns fewer than a page where the rows are large. */
export function listProducts(
  sql: Queryable,
  shelf: StockScope,
  { filter, q, page: part }: ProductListRequest,
  { onlyActive = false }: { readonly onlyActive?: boolean } = {},
) {
  const { sku, tag, minPrice, maxPrice, inStock, status, ...equal } = filter
  const { projectId } = shelf
  const names = part.sortColumn === null ? COLUMNS : [...COLUMNS, 'sortValue']
  const rows = sql`
    select ${sql(COLUMNS)}, bytes ${sortValueColumn(sql, part)} from products p where project_id = ${projectId} and deleted_at is null
    ${equalsCondition(sql, equal)}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${onlyActive ? sql`and status = 'active'` : sql``}
    ${sku === undefined ? sql`` : sql`and id = (select product_id from product_skus k where k.project_id = ${projectId} and k.sku = ${sku})`}
    ${tag === undefined ? sql`` : sql`and tags @> array[${tag}]`}
    ${minPrice === undefined ? sql`` : sql`and price >= ${minPrice}`}
    ${maxPrice === undefined ? sql`` : sql`and price <= ${maxPrice}`}
    ${inStock === undefined ? sql`` : sql`and ${stocked(sql, shelf, { isWanted: inStock })}`}
    ${q === undefined ? sql`` : matchesPatterns(sql, searchPatternsOf(q))}
    ${keysetPage(sql, part)}`
  return sql<(ProductRow & SortedRow)[]>`${limitBytes(sql, names, rows, sql`bytes`)}`
}

/** Finds the newest products of a store by a text, as their list does. Reads no more than names them. */
export const findProductsByText = (sql: Queryable, projectId: string, q: string, limit: number) =>
  sql<Pick<ProductRow, 'id' | 'name' | 'sku' | 'status'>[]>`
    select id, name, sku, status from products where project_id = ${projectId} and deleted_at is null
      ${matchesPatterns(sql, searchPatternsOf(q))} order by id desc limit ${limit}`

/** Up to so many free keys are put into a hash; of more, any page meets enough products in stock soon. */
const FREE_KEYS_HASHED = 2_000

/**
 * Condition of products that can be ordered, or of those that cannot. A page may have to pass over all of a catalogue: then each product is
 * looked up in a hash of the free keys, and not in the index.
 */
function stocked(sql: Queryable, { projectId, namespace }: StockScope, { isWanted }: { readonly isWanted: boolean }) {
  const free = sql`from inventory_balances b where b.project_id = ${projectId} and b.namespace = ${namespace} and b.has_free`
  // `is true` keeps the planner from a join, which looks into the index for each product. Most products have one key.
  const inHash = sql`case when cardinality(p.stock_keys) = 1 then p.stock_keys[1] in (select b.key ${free})
    else exists (select 1 from unnest(p.stock_keys) k where (k in (select b.key ${free})) is true) end`
  if (!isWanted) return sql`stock_keeping and not ${inHash}`
  const areFew = sql`(select count(*) < ${FREE_KEYS_HASHED} from (select 1 ${free} limit ${FREE_KEYS_HASHED}) few)`
  return sql`(not stock_keeping or case when ${areFew} then ${inHash} else exists (select 1 ${free} and b.key = any (p.stock_keys)) end)`
}

const matchesPatterns = (sql: Queryable, patterns: readonly string[]) =>
  patterns.length === 0 ? sql`and false` : patterns.reduce((all, pattern) => sql`${all} and search_text like ${pattern}`, sql``)

const isActiveOfStore = (sql: Queryable, projectId: string) => sql`project_id = ${projectId} and deleted_at is null and status = 'active'`

/**
 * Number of active products up to which all are shuffled. Among few, the gaps between their random numbers are too uneven for a fair draw.
 */
const SMALL_CATALOGUE = 100

/**
 * Lists up to `take` active products at random. A small catalogue is shuffled; a larger one is sampled through an index, whatever its size.
 */
export const listRandomProducts = async (sql: Queryable, projectId: string, take: number) => {
  const first = await sql<{ id: string }[]>`
    select id from (select id from products where ${isActiveOfStore(sql, projectId)} order by dice limit ${SMALL_CATALOGUE + 1}) few order by random()`
  const drawn = first.length > SMALL_CATALOGUE ? await listRandomIds(sql, projectId, take) : first.slice(0, take)
  if (drawn.length === 0) return []
  const ids = drawn.map(({ id }) => id)
  const rows = sql`select ${sql(COLUMNS)}, bytes from products
    where project_id = ${projectId} and id = any (${ids}::text[]) and deleted_at is null order by array_position(${ids}::text[], id)`
  return sql<ProductRow[]>`${limitBytes(sql, COLUMNS, rows, sql`bytes`)}`
}

/**
 * Draws random numbers and selects the next product after each. Where draws hit the same product, the products after one more random number
 * fill up the list.
 */
const listRandomIds = (sql: Queryable, projectId: string, take: number) => sql<{ id: string }[]>`
    with draws as materialized (select turn, random() as at from generate_series(1, ${take * 2}) turn),
      hit as (select p.id from draws d cross join lateral (
        select id from products where ${isActiveOfStore(sql, projectId)} and dice >= d.at order by dice limit 1) p group by p.id order by min(d.turn) limit ${take}),
      start as materialized (select random() as at),
      rest as (
        (select id from products where ${isActiveOfStore(sql, projectId)} and dice >= (select at from start) order by dice limit ${take * 2})
        union all (select id from products where ${isActiveOfStore(sql, projectId)} and dice < (select at from start) order by dice limit ${take * 2}))
    select id from hit union all (select id from rest where (select count(*) from hit) < ${take} and id not in (select id from hit)) limit ${take}`

/** Lists the next products of a store after this id, oldest first. */
export const listProductsAfter = (sql: Queryable, projectId: string, after: string, take: number) =>
  sql<(ProductRow & SortedRow)[]>`${limitBytes(
    sql,
    COLUMNS,
    sql`select ${sql(COLUMNS)}, bytes from products where project_id = ${projectId} and id > ${after} and deleted_at is null order by id limit ${take}`,
    sql`bytes`,
  )}`
