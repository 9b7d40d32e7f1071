import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { findDrift } from '../../support/checks.ts'
import { random } from '../../support/random.ts'
import { often } from '../../support/thorough.ts'

/** `CATALOG_SCRIPTS=1000` soaks; `CATALOG_SEED` repeats a run. */
const SCRIPTS = Number(process.env.CATALOG_SCRIPTS ?? often({ quick: 8, thorough: 20 }))
const SEED = Number(process.env.CATALOG_SEED ?? 20_261_123)
const STOCK = 12

const { call, ok, shop, context } = await startApp({ databasePool: 12 })
const { storeId, key } = await shop()
const { sql } = context

/** What one act met: when it began and ended, and what it was told. */
interface Done {
  readonly act: 'price' | 'variants' | 'tag' | 'sku' | 'delete' | 'order'
  readonly number: number
  readonly began: number
  readonly ended: number
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  readonly body: any
}

const ACTS: readonly Done['act'][] = ['price', 'price', 'variants', 'tag', 'sku', 'order', 'order', 'order', 'delete']

/** Each number is of one act: a name and a price that stand together were written together. */
const bodies: Record<Exclude<Done['act'], 'delete' | 'order'>, (number: number, variant: string) => object> = {
  price: (number) => ({ name: `P${number}`, price: number }),
  variants: (number, variant) => ({
    variants: [
      { id: variant, name: `V${number}`, price: null, sku: `SKU-${number}` },
      { name: 'more', sku: `SKU-${number}-more` },
    ],
  }),
  tag: (number) => ({ tags: [`t${number}`] }),
  sku: (number) => ({ sku: `OWN-${number}` }),
}

async function play(seed: number, at: number) {
  const draw = random(seed)
  let numbers = at * 1000
  const first = ++numbers
  const { data: made } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: `P${first}`, price: first, variants: [{ name: `V${first}`, initialStock: STOCK }] },
  })
  const [{ id: variant }] = made.variants
  const ask = (act: Done['act'], number: number) => {
    if (act === 'delete') return call('DELETE', `/v1/products/${made.id}`, { as: key })
    if (act !== 'order') return call('PATCH', `/v1/products/${made.id}`, { as: key, body: bodies[act](number, variant) })
    const customer = { name: 'Lina', phone: '0550123456' }
    const destination = { country: 'DZ', stateCode: '16', cityName: 'Alger', address: '', deliveryType: 'home' }
    const items = [{ productId: made.id, variantId: variant, quantity: 1 + (number % 3) }]
    return call('POST', '/v1/orders', { as: key, body: { storeId, customer, destination, items } })
  }
  const done: Done[] = []
  for (let wave = 0; wave < 3; wave += 1)
    await Promise.all(
      Array.from({ length: 2 + draw(3) }, async () => {
        const act = ACTS[draw(ACTS.length)]!
        const number = ++numbers
        await Bun.sleep(draw(4))
        const began = performance.now()
        const { status, body } = await ask(act, number)
        done.push({ act, number, began, ended: performance.now(), status, body })
      }),
    )
  return { id: made.id as string, variant: variant as string, first, done }
}

const EXPECTED = [200, 201, 204, 404, 422]

async function judge({ id, variant, first, done }: Awaited<ReturnType<typeof play>>) {
  expect(done.filter(({ status }) => !EXPECTED.includes(status)).map(({ status, body }) => [status, body])).toEqual([])
  const deleted = done.filter(({ act, status }) => act === 'delete' && status === 204)
  expect(deleted.length).toBe(done.some(({ act }) => act === 'delete') ? 1 : 0)
  const gone = deleted[0]?.ended ?? Number.POSITIVE_INFINITY
  const went = deleted[0]?.began ?? Number.POSITIVE_INFINITY
  // Whatever began when it was gone found nothing, and what ended before was not told that it is.
  for (const each of done.filter(({ act }) => act !== 'delete')) {
    const isGone = each.act === 'order' ? each.body?.error?.code === 'product_unavailable' : each.status === 404
    if (each.began > gone) expect([each.act, isGone]).toEqual([each.act, true])
    if (each.ended < went) expect([each.act, isGone]).toEqual([each.act, false])
  }
  // An order is priced as the product was at one moment of its request: name and price of one write, and none that was overwritten before.
  const priced = [{ number: first, began: 0, ended: 0 }, ...done.filter(({ act, status }) => act === 'price' && status === 200)]
  const taken = done.filter(({ act, status }) => act === 'order' && status === 201)
  for (const order of taken) {
    const [line] = order.body.data.items
    const written = priced.find(({ number }) => number === line.unitPrice)!
    expect(line.name).toStartWith(`P${line.unitPrice} – V`)
    expect(written.began).toBeLessThan(order.ended)
    expect(priced.filter((other) => other.began > written.ended && other.ended < order.began)).toEqual([])
  }
  // All that was ordered is reserved, no more of it than there is.
  const [row] = await sql`select price, name, tags, sku, variants, stock_keys, deleted_at from products where id = ${id}`
  const reserved = taken.reduce((sum, { body }) => sum + body.data.items[0].quantity, 0)
  const [balance] = await sql`select on_hand, reserved from inventory_balances where key = ${variant}`
  expect([Number(balance!.onHand), Number(balance!.reserved)]).toEqual([STOCK, reserved])
  expect(reserved).toBeLessThanOrEqual(STOCK)
  // Skus name what is there, and keys count what they counted.
  const skus = (await sql`select sku from product_skus where product_id = ${id}`).map(({ sku }) => sku).toSorted()
  const own = [row!.sku, ...row!.variants.map(({ sku }: { sku: string | null }) => sku)].filter(Boolean).toSorted()
  expect(skus).toEqual(row!.deletedAt === null ? own : [])
  expect(row!.variants[0]).toMatchObject({ id: variant, inventoryKey: variant })
  expect(row!.stockKeys).toEqual(row!.variants.map(({ inventoryKey }: { inventoryKey: string }) => inventoryKey))
  expect(row!.name).toBe(`P${Number(row!.price)}`)
}

test('whatever is done to a product at once, each order is of one moment, and its stock is what the ledger says', async () => {
  const scripts = Array.from({ length: SCRIPTS }, (_, at) => at + 1)
  for (let from = 0; from < scripts.length; from += 6)
    for (const played of await Promise.all(scripts.slice(from, from + 6).map((at) => play(SEED + at, at)))) await judge(played)
  expect(await findDrift(sql)).toEqual([])
}, 600_000)
