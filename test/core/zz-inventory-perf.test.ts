import { test } from 'bun:test'
import { startApp } from '/work/main/test/support/app.ts'
const { ok, shop, handle, context } = await startApp({ databasePool: Number(process.env.POOL ?? 12) })
const main = await shop()
test('perf', async () => {
  const keys = Array.from({ length: Number(process.env.KEYS ?? 1000) }, (_, i) => `K${i}`)
  for (let i = 0; i < keys.length; i += 100) await ok('POST', '/v1/inventory/operations', { as: main.key, body: { type: 'receive', legs: keys.slice(i, i + 100).map((key) => ({ namespace: 'a', key, quantity: 1e6 })) } })
  const run = async (name: string, make: () => Request, seconds: number, flight: number) => {
    let done = 0, bad = 0; const lat: number[] = []
    const end = performance.now() + seconds * 1000; const start = performance.now()
    const cpu0 = process.cpuUsage()
    await Promise.all(Array.from({ length: flight }, async () => {
      while (performance.now() < end) {
        const t = performance.now()
        const r = await handle(make()); await r.text()
        lat.push(performance.now() - t)
        if (r.status === 201) done++; else bad++
      }
    }))
    const cpu = process.cpuUsage(cpu0); const el = (performance.now() - start) / 1000
    lat.sort((a, b) => a - b)
    console.log(name, 'flight', flight, Math.round(done / el), '/s bad', bad, 'p50', lat[lat.length >> 1]!.toFixed(1), 'p99', lat[Math.floor(lat.length * .99)]!.toFixed(1), 'ms; bun cpu', ((cpu.user + cpu.system) / 1e6 / el * 100).toFixed(0) + '%', 'us/op', Math.round((cpu.user+cpu.system)/done))
  }
  const req = (path: string, body: unknown, idem = false) => new Request('http://localhost' + path, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${main.key}`, ...(idem && { 'idempotency-key': crypto.randomUUID() }) }, body: JSON.stringify(body) })
  const k = () => keys[Math.floor(Math.random() * keys.length)]!
  const transfer = (idem = false) => () => { const key = k(); return req('/v1/inventory/operations', { type: 'transfer', legs: [{ namespace: 'a', key, quantity: -1 }, { namespace: 'b', key, quantity: 1 }] }, idem) }
  const S = Number(process.env.S ?? 4)
  await run('warm', transfer(), 2, 16)
  for (let n = 0; n < 8; n++) await run('transfer', transfer(), 3, 24)
  for (const r of await context.sql`select relname, n_live_tup, n_dead_tup, n_tup_upd, n_tup_hot_upd, seq_scan, idx_scan, last_autoanalyze from pg_stat_user_tables where relname like 'inventory%' or relname in ('events','webhook_endpoints')`) console.log('flight', JSON.stringify(r))
}, 120000)
