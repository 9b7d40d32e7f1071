import { expect, test } from 'bun:test'
import { readList } from '../../../core/http/resource/list.ts'
import { productList } from '../../../core/shop/catalog/products.model.ts'
import { listProducts } from '../../../core/shop/catalog/products.queries.ts'
import { startApp } from '../../support/app.ts'
import { explained, nodes, type Plan } from '../../support/explained.ts'

const app = await startApp()
const { call, ok, context } = app
const { sql } = context
const [shop, other] = [await app.shop(), await app.shop()]
const PRODUCTS = 5_000

/** Copies of one product, each with its own key of stock, and what is free of each. */
async function fill({ storeId, key }: typeof shop, free: number) {
  const body = { storeId, name: 'Lamp', price: 10, status: 'active', initialStock: 5 }
  const { data } = await ok('POST', '/v1/products', { as: key, body })
  const copied = async (table: string, where: string, special: Readonly<Record<string, string>>) => {
    const columns = await sql<{ name: string }[]>`select column_name as name from information_schema.columns
      where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER'`
    const names = columns.map(({ name }) => name)
    await sql.unsafe(`insert into ${table} (${names}) select ${names.map((name) => special[name] ?? name)}
      from ${table}, generate_series(1, ${PRODUCTS}) n where ${where}`)
  }
  const original = `(select stock_keys[1] from products where id = '${data.id}')`
  await copied('inventory_balances', `key = ${original}`, { key: `${original} || n`, on_hand: `${free}`, reserved: '0' })
  await copied('products', `id = '${data.id}'`, {
    id: `id || n`,
    slug: `slug || n`,
    stock_keys: `array[stock_keys[1] || n]`,
    inventory_key: `inventory_key || n`,
    dice: 'random()',
  })
  await sql`analyze products`
  await sql`analyze inventory_balances`
}
await fill(shop, 5)
await fill(other, 0)

test.each([
  ['of none that are sold out', 'shop', 'false', 0],
  ['of the only one in stock', 'other', 'true', 1],
] as const)('a page %s passes over a catalogue without a look into the ledger for each product', async (_, whose, wanted, count) => {
  const { storeId, projectId } = whose === 'shop' ? shop : other
  const plans: Plan[] = []
  const query = { storeId, 'filter[inStock]': wanted === 'true' }
  const { data } = await readList(sql, productList, query, (_reader, asked) =>
    listProducts(explained(sql, plans), { projectId, namespace: 'main' }, asked),
  )
  expect(data).toHaveLength(count)
  const looks = plans.flatMap(nodes).filter((node) => node['Relation Name'] === 'inventory_balances')
  expect(Math.max(...looks.map((node) => node['Actual Loops']))).toBeLessThan(3)
})

test('those who wait for lists by stock hold no connections that others need', async () => {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const lock = sql.begin(async (tx) => {
    await tx`lock table inventory_balances in access exclusive mode`
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const slow = [shop, other].flatMap((of) =>
    Array.from({ length: 8 }, () => call('GET', `/v1/products?storeId=${of.storeId}&inStock=false&limit=1`)),
  )
  await Bun.sleep(200)
  const quick = await Promise.race([call('GET', `/v1/categories?storeId=${shop.storeId}`), Bun.sleep(5_000)])
  held.resolve()
  await lock
  expect(quick?.status).toBe(200)
  expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([200]))
}, 30_000)
