import type { Fault } from 'serai/connector/acceptance'

/** The token that the simulator accepts. */
export const TOKEN = 'a token of the shop'
const PAGE = 50

/** Starts a stand-in for the shop's API, with orders of its own. */
export function startSimulator() {
  const orders = new Map<string, Record<string, unknown> & { id: string; updatedAt: string }>()
  const parcels = new Map<string, Record<string, unknown>>()
  const calls: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const state: { hook: { address: string; secret: string; isOn: boolean } | null; fault: Fault | null } = { hook: null, fault: null }
  let clock = Date.parse('2026-11-20T10:00:00Z')

  const place = () => {
    clock += 1000
    const id = `o${orders.size + 1}`
    const items = [{ sku: 'B', name: 'Basket', quantity: 1, price: '2500' }]
    const typed = { name: 'Lina', phone: '0550123456', state: '16', city: 'Bab Ezzouar', street: '3 rue A' }
    orders.set(id, { id, status: 'new', ...typed, items, delivery: '400', total: '2900', updatedAt: new Date(clock).toISOString() })
    return id
  }
  const touch = (id: string, status: string) => {
    clock += 60_000
    const order = orders.get(id)
    if (order) Object.assign(order, { status, updatedAt: new Date(clock).toISOString() })
  }

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, searchParams, search } = new URL(request.url)
      const body = await request.text()
      const headers = Object.fromEntries(request.headers)
      calls.push({ at: Date.now(), method: request.method, path: pathname, query: search.slice(1), headers, body })
      if (headers.authorization !== `Bearer ${TOKEN}`) return Response.json({ message: 'who are you?' }, { status: 401 })
      if (state.fault === 'error') return new Response('oops', { status: 500 })
      if (state.fault === 'rate_limited') return new Response('{}', { status: 429, headers: { 'retry-after': '2' } })
      if (state.fault === 'mumbled') return Response.json({ ok: 1 })
      if (state.fault === 'malformed') return new Response('{"orders":[')
      if (pathname === '/hook' && request.method === 'DELETE') {
        state.hook = null
        return Response.json({})
      }
      if (pathname === '/hook') {
        const wasOff = state.hook?.isOn === false
        state.hook = { ...JSON.parse(body), isOn: true }
        return Response.json({ wasOff })
      }
      if (request.method === 'PUT') {
        parcels.set(pathname.split('/')[2] ?? '', JSON.parse(body))
        return Response.json({})
      }
      const since = searchParams.get('since') ?? ''
      const all = [...orders.values()].filter((order) => order.updatedAt >= since).sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))
      const from = Number(searchParams.get('cursor') ?? 0)
      return Response.json({ orders: all.slice(from, from + PAGE), next: from + PAGE < all.length ? String(from + PAGE) : null })
    },
  })
  return { url: server.url.origin, orders, parcels, calls, state, place, touch, stop: () => server.stop(true) }
}
