import { type Sql, withoutStatementTimeout } from '../../../core/data/sql.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { ordersToSearch } from '../../../core/orders/search/search-rows.queries.ts'
import { DEFAULT_INVENTORY_NAMESPACE } from '../../../core/shop/catalog/present-product.ts'
import { copy, rows } from '../copy.ts'
import { fillProducts, priceOf, productId, skuOf } from '../measures/products.ts'

/** How long the orders reach back. */
const YEAR_MS = 365 * DAY_MS
const NOW = Date.now()
const PART = 50_000
/** What each product had at first. */
const RECEIVED = 1_000_000
const PHONES = 200_000
const DELIVERY = 600
/** What is over, and what is to be called and sent: that are the newest of them. */
const ENDED = ['delivered', 'delivered', 'delivered', 'delivered', 'returned', 'cancelled'] as const
const OPEN = ['pending', 'pending', 'unreachable', 'confirmed'] as const
const OPEN_SHARE = 0.02
/** The newest; when the others were taken no stock was kept. */
const STOCKED_SHARE = 0.1
const TABLES = [
  ...['products', 'orders', 'order_items', 'customers', 'confirmation_queue', 'analytics_marks', 'order_search'],
  ...['inventory_balances', 'inventory_reservations', 'inventory_reservation_lines', 'inventory_operations', 'inventory_movements'],
]

/** Whose the rows are, and how many there are; they are numbered, and what has a number is always the same. */
export interface Filling {
  readonly projectId: string
  readonly storeId: string
  readonly products: number
  readonly orders: number
}

interface Line {
  readonly product: number
  readonly quantity: number
}

const isOpen = (n: number, { orders }: Filling) => n >= orders * (1 - OPEN_SHARE)
const statusOf = (n: number, of: Filling) => (isOpen(n, of) ? OPEN[n % OPEN.length] : ENDED[n % ENDED.length])
const keepsStock = (n: number, { orders }: Filling) => n >= orders * (1 - STOCKED_SHARE)
const isTaken = (n: number, of: Filling) => keepsStock(n, of) && statusOf(n, of) === 'delivered'
/** What came back, or never went, holds nothing. */
const holds = (n: number, of: Filling) => isOpen(n, of) || isTaken(n, of)

function linesOf(n: number, { products }: Filling): Line[] {
  const line = (at: number): Line => ({ product: (n * 7919 + at * 31) % products, quantity: 1 + ((n + at) % 3) })
  return n % 2 === 0 ? [line(0)] : [line(0), line(1)]
}

function momentOf(n: number, { orders }: Filling) {
  const ms = NOW - Math.floor(YEAR_MS * (1 - (n + 1) / (orders + 1)))
  return { ms, at: new Date(ms).toISOString() }
}
const idOf = (prefix: string, n: number, of: Filling) => lowestIdAt(prefix, momentOf(n, of).ms) + n.toString(32).padStart(16, '0')

/**
 * Products with their stock, and orders of a year with what they hold and took of it: the nightly checks find nothing amiss. What the
 * database does beside each row, triggers and most indexes, is done once for all of them after: it is a load, and not what is measured.
 */
export async function fillStore(sql: Sql, of: Filling): Promise<void> {
  const { storeId, projectId, orders } = of
  await fillProducts(sql, storeId, of.products)
  await sql`insert into product_skus (project_id, sku, product_id) select project_id, sku, id from products where project_id = ${projectId}`
  await sql`insert into product_keys (project_id, key) select project_id, inventory_key from products where project_id = ${projectId}`
  await fillStock(sql, of)
  const makeIndexes = await dropIndexes(sql, ['orders', 'order_items', 'order_search'])
  const left = new Float64Array(of.products).fill(RECEIVED)
  // In parts: a statement has its time.
  for (let first = 0; first < orders; first += PART) await fillOrders(sql, of, first, Math.min(orders, first + PART), left)
  await withoutStatementTimeout(sql, (tx) => tx`insert into order_search ${ordersToSearch(tx)} and o.project_id = ${projectId}`)
  await makeIndexes()
  await Promise.all(FOLLOWED.map((follow) => withoutStatementTimeout(sql, (tx) => tx.unsafe(follow, [projectId]))))
  await Promise.all(TABLES.map((table) => sql.unsafe(`vacuum analyze ${table}`)))
}

/** What readers of changes would have written, as the migrations write it for orders of before. */
const FOLLOWED = [
  `insert into confirmation_queue (project_id, order_id, due_at) select project_id, id, updated_at from orders
    where project_id = $1 and confirmation_waits(status, deleted_at)`,
  `insert into analytics_marks select distinct project_id, date_bin('15 minutes', created_at, 'epoch') from orders where project_id = $1`,
  `insert into customers (project_id, phone, id, name, first_order_id, created_at)
    select distinct on (customer_phone) project_id, customer_phone, 'cus_' || substr(id, 5), customer_name, id, created_at
    from orders where project_id = $1 order by customer_phone, id`,
]

/** All but those of constraints; gives what makes them again. */
export async function dropIndexes(sql: Sql, tables: readonly string[]): Promise<() => Promise<void>> {
  const found = await sql<{ name: string; definition: string }[]>`select indexname as name, indexdef as definition from pg_indexes
    where tablename = any (${tables as string[]}) and schemaname = current_schema() and not exists (
      select from pg_constraint where conindid = (quote_ident(schemaname) || '.' || quote_ident(indexname))::regclass)`
  for (const { name } of found) await sql`drop index ${sql(name)}`
  return async () => {
    const make = (definition: string) =>
      withoutStatementTimeout(sql, async (tx) => {
        await tx`set local maintenance_work_mem = '512MB'`
        await tx.unsafe(definition)
      })
    await Promise.all(found.map(({ definition }) => make(definition)))
  }
}

/** Without triggers: those of references look at each row. */
const load = (sql: Sql, into: string, chunks: Iterable<string>) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await copy(tx, into, chunks)
  })

/** All that there was at first in one operation, and of each product what is left in the end. */
async function fillStock(sql: Sql, of: Filling) {
  const { projectId, products } = of
  const [taken, reserved] = [new Float64Array(products), new Float64Array(products)]
  for (let n = 0; n < of.orders; n += 1) {
    if (!holds(n, of)) continue
    const counter = isTaken(n, of) ? taken : reserved
    for (const { product, quantity } of linesOf(n, of)) counter[product] = (counter[product] ?? 0) + quantity
  }
  const balance = (at: number) =>
    `${projectId}\t${DEFAULT_INVENTORY_NAMESPACE}\t${skuOf(at)}\t\t${RECEIVED - (taken[at] ?? 0)}\t${reserved[at] ?? 0}\n`
  await copy(sql, 'inventory_balances (project_id, namespace, key, batch, on_hand, reserved)', rows(0, products, balance))
  const ms = NOW - YEAR_MS
  const [id, at] = [lowestIdAt('op', ms) + '0'.repeat(16), new Date(ms).toISOString()]
  await sql`insert into inventory_operations (project_id, id, type, created_at) values (${projectId}, ${id}, 'receive', ${at})`
  await copy(
    sql,
    MOVEMENTS,
    rows(0, products, (n) => `${projectId}\t${id}\t${n}\t${DEFAULT_INVENTORY_NAMESPACE}\t${skuOf(n)}\t\t${RECEIVED}\t${RECEIVED}\t${at}\n`),
  )
}

const MOVEMENTS = 'inventory_movements (project_id, operation_id, line, namespace, key, batch, quantity, balance_after, created_at)'

async function fillOrders(sql: Sql, of: Filling, from: number, to: number, left: Float64Array) {
  const each = (row: (n: number) => string) => rows(from, to, row)
  const where = (when: (n: number, of: Filling) => boolean, row: (n: number) => string) => each((n) => (when(n, of) ? row(n) : ''))
  const { projectId } = of
  await Promise.all([
    load(
      sql,
      'orders (project_id, id, reference, status, customer_name, customer_phone, destination, subtotal, delivery, discount, total, source, reservation_id, fulfilment_id, created_at, updated_at)',
      each((n) => orderRow(of, n)),
    ),
    load(
      sql,
      'inventory_reservations (project_id, id, status, created_at, updated_at)',
      where(holds, (n) => {
        const { at } = momentOf(n, of)
        return `${projectId}\t${idOf('res', n, of)}\t${isTaken(n, of) ? 'fulfilled' : 'active'}\t${at}\t${at}\n`
      }),
    ),
    load(
      sql,
      'order_items (project_id, order_id, line, product_id, name, sku, unit_price, quantity, inventory_key)',
      each((n) => itemRows(of, n)),
    ),
    load(
      sql,
      'inventory_reservation_lines (project_id, reservation_id, line, namespace, key, batch, quantity, fulfilled)',
      where(holds, (n) => reservationRows(of, n)),
    ),
    load(
      sql,
      'inventory_operations (project_id, id, type, reference, reservation_id, created_at)',
      where(
        isTaken,
        (n) => `${projectId}\t${idOf('op', n, of)}\tfulfill\t${referenceOf(n)}\t${idOf('res', n, of)}\t${momentOf(n, of).at}\n`,
      ),
    ),
    load(
      sql,
      MOVEMENTS,
      where(isTaken, (n) => movementRows(of, n, left)),
    ),
  ])
}

const referenceOf = (n: number) => `B${String(n).padStart(9, '0')}`
const NAMES = ['Amina Saadi', 'Lina Belkacem', 'Karim Haddad', 'أمينة السعدي', 'Nadia Cherif', 'محمد بن علي', 'Yacine Meziane']

function orderRow(of: Filling, n: number): string {
  const { at } = momentOf(n, of)
  const subtotal = linesOf(n, of).reduce((sum, { product, quantity }) => sum + priceOf(product) * quantity, 0)
  const place = '"country":"DZ","stateCode":"16","stateName":"Alger","cityCode":"1601","cityName":"Bab Ezzouar","address":"cité 5 juillet"'
  const destination = `{${place},"deliveryType":"home","pickupId":null,"resolved":{"method":"exact","confidence":1}}`
  const who = `${NAMES[n % NAMES.length]} ${n % 997}\t+2135${String(n % PHONES).padStart(8, '0')}`
  const held = `${holds(n, of) ? idOf('res', n, of) : '\\N'}\t${isTaken(n, of) ? idOf('op', n, of) : '\\N'}`
  return `${of.projectId}\t${idOf('ord', n, of)}\t${referenceOf(n)}\t${statusOf(n, of)}\t${who}\t${destination}\t${subtotal}\t${DELIVERY}\t0\t${subtotal + DELIVERY}\tapi\t${held}\t${at}\t${at}\n`
}

const itemRows = (of: Filling, n: number) =>
  linesOf(n, of)
    .map(({ product, quantity }, at) => {
      const sku = skuOf(product)
      return `${of.projectId}\t${idOf('ord', n, of)}\t${at + 1}\t${productId(product)}\tProduct ${product}\t${sku}\t${priceOf(product)}\t${quantity}\t${keepsStock(n, of) ? sku : '\\N'}\n`
    })
    .join('')

const reservationRows = (of: Filling, n: number) =>
  linesOf(n, of)
    .map(({ product, quantity }, at) => {
      const head = `${of.projectId}\t${idOf('res', n, of)}\t${at}\t${DEFAULT_INVENTORY_NAMESPACE}\t${skuOf(product)}\t\t`
      return `${head}${quantity}\t${isTaken(n, of) ? quantity : 0}\n`
    })
    .join('')

/** `left`: of each product before this. */
const movementRows = (of: Filling, n: number, left: Float64Array) =>
  linesOf(n, of)
    .map(({ product, quantity }, at) => {
      const after = (left[product] ?? 0) - quantity
      left[product] = after
      return `${of.projectId}\t${idOf('op', n, of)}\t${at}\t${DEFAULT_INVENTORY_NAMESPACE}\t${skuOf(product)}\t\t${-quantity}\t${after}\t${momentOf(n, of).at}\n`
    })
    .join('')
