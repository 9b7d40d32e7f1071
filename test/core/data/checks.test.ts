import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { logDifferences, runChecks } from '../../../core/data/checks.ts'
import { connectPool } from '../../../core/data/sql.ts'
import { listChecks } from '../../../core/features.ts'
import { startApp } from '../../support/app.ts'
import { spawnServer } from '../../support/process.ts'

const ROOT = join(import.meta.dir, '../../..')

const app = await startApp()
const { sql } = app.context

async function sellOne() {
  const { owner, storeId } = await app.shop()
  const { data: product } = await app.ok('POST', '/v1/products', {
    as: owner.token,
    body: { storeId, name: 'Basket', price: 900, initialStock: 5 },
  })
  const body = {
    storeId,
    customer: { name: 'Amina', phone: '0550123456' },
    items: [{ productId: product.id, quantity: 2 }],
    destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: 'x', deliveryType: 'home' },
  }
  return (await app.ok('POST', '/v1/orders', { as: owner.token, body })).data.id as string
}

test('checks: every rule holds on a store that works, and has a sentence of its own', async () => {
  await sellOne()
  const results = await Array.fromAsync(runChecks(sql, listChecks()))
  expect(results.filter(({ differences }) => differences.length > 0)).toEqual([])
  expect(new Set(results.map(({ rule }) => rule)).size).toBe(listChecks().length)
  expect(results.length).toBeGreaterThan(20)
})

test('checks: a planted difference is named by the nightly job, with its rule and its row', async () => {
  const id = await sellOne()
  await sql`update orders set reservation_id = null where id = ${id}`
  const logged: Record<string, unknown>[] = []
  const log = { error: (line: Record<string, unknown>) => logged.push(line), info: (line: Record<string, unknown>) => logged.push(line) }
  await logDifferences(sql, log as never, listChecks(), new AbortController().signal)
  expect(logged).toContainEqual(
    expect.objectContaining({ rule: 'An order holds the stock that its status needs', difference: expect.objectContaining({ id }) }),
  )
  expect(logged.at(-1)).toEqual({ run: listChecks().length, broken: 1, all: listChecks().length })
})

test('checks: a process that stops ends between two of them', async () => {
  const stop = new AbortController()
  const ran: string[] = []
  for await (const { rule } of runChecks(sql, listChecks(), stop.signal)) {
    ran.push(rule)
    stop.abort()
  }
  expect(ran).toHaveLength(1)
})

test('checks: the command prints each rule beside a running server, and exits with 1 where one is broken', async () => {
  const server = await spawnServer()
  const check = async () => {
    const env = { ...process.env, DATA_DIR: server.dataDir }
    const child = Bun.spawn([process.execPath, 'core/main.ts', 'check'], { cwd: ROOT, env, stdout: 'pipe', stderr: 'inherit' })
    const said = await new Response(child.stdout).text()
    return [await child.exited, said] as const
  }
  const [right, allHold] = await check()
  expect([right, allHold.split('\n').filter((line) => !line.startsWith('ok '))]).toEqual([0, ['All rules hold.', '']])

  const socketDir = (await Bun.file(`${server.dataDir}/postgres/postmaster.pid`).text()).split('\n')[4]!
  const own = connectPool({ socketDir, port: 5432, user: 'serai', database: 'postgres' }, 1)
  await own`set session_replication_role = replica`
  await own`insert into orders (project_id, id, reference, status, customer_name, customer_phone, destination, subtotal, delivery, discount, total, source, reservation_id)
    values ('prj_a', 'ord_a', 'A', 'pending', 'A', '+213550123456', '{}', 1, 0, 0, 1, 'member', 'res_none')`
  await own.end()
  const [wrong, broken] = await check()
  expect(wrong).toBe(1)
  expect(broken).toContain('BROKEN An order holds the stock that its status needs')
  expect(broken).toContain('"id":"ord_a"')
  await server.stop()
}, 120_000)
